/* The crate that builds Mbed TLS has this function, which the library's configuration names, in Rust. */

#include <stdarg.h>
#include <stdio.h>

int mbedtls_printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vprintf(format, values);
    va_end(values);
    return written;
}
