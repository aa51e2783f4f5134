#!/bin/sh
# Stands for cargo in the tests of `tlspair upgrade`: writes down how it was called, and does what cargo would do to
# files as far as the tests can see it.
{
    echo "call: $*"
    echo "  in: $PWD"
    echo "  target: ${CARGO_TARGET_DIR-none}"
    echo "  CFLAGS: ${CFLAGS-none}"
    echo "  EXTRA: ${EXTRA-none}"
} >>"$RECORD"

case $1 in
metadata)
    cat <<JSON
{"packages": [{"name": "tlspair", "manifest_path": "$PWD/Cargo.toml", "default_run": null, "dependencies": [],
  "targets": [{"name": "tlspair", "kind": ["lib"]}, {"name": "tlspair", "kind": ["bin"]}]}],
 "workspace_root": "$PWD", "target_directory": "$PWD/target"}
JSON
    ;;
update)
    if [ "$5" = 9.9.9 ]; then
        echo "    Updating an index" >&2
        echo "error: failed to select a version for the requirement" >&2
        exit 101
    fi
    sed "s/0.23.46/$5/" Cargo.lock >Cargo.lock.edited
    mv Cargo.lock.edited Cargo.lock
    ;;
build)
    case $CARGO_TARGET_DIR in
    *"${FAILS-/nowhere}")
        echo "error[E0308]: mismatched types" >&2
        exit 101
        ;;
    *"${HANGS-/nowhere}")
        (
            trap 'echo "  compiler: ended" >>"$RECORD"; exit' TERM
            echo "  compiler: started" >>"$RECORD"
            while :; do sleep 1; done
        ) &
        wait
        ;;
    esac
    if [ -n "${PROGRAM-}" ]; then
        mkdir -p "$CARGO_TARGET_DIR/release"
        ln -sf "$PROGRAM" "$CARGO_TARGET_DIR/release/tlspair"
    fi
    echo '{"reason": "compiler-artifact", "target": {"name": "tlspair", "kind": ["lib"]}, "executable": null}'
    printf '{"reason": "compiler-artifact", "target": {"name": "tlspair", "kind": ["bin"]}, '
    printf '"executable": "%s/release/tlspair"}\n' "$CARGO_TARGET_DIR"
    ;;
esac
