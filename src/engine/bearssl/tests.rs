//! What the common engine contract cannot see from outside.
