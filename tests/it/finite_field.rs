//! The primes of RFC 7919, by its formula (appendix A): `2^n − 2^(n−64) + (⌊2^(n−130)·e⌋ + x)·2^64 − 1`.

use openssl::bn::BigNum;
use openssl::error::ErrorStack;
use tlspair::cell::Group;

/// The prime of a group in a finite field.
pub fn prime(group: Group) -> Result<BigNum, ErrorStack> {
    let (bits, x) = match group {
        Group::Ffdhe2048 => (2048, 560_316),
        Group::Ffdhe3072 => (3072, 2_625_351),
        other => panic!("{other} is in no finite field of RFC 7919"),
    };
    let middle = &scaled_e(bits - 130)? + &*BigNum::from_u32(x)?;
    let mut shifted = BigNum::new()?;
    shifted.lshift(&middle, 64)?;
    let sum = &(&power(bits)? - &power(bits - 64)?) + &shifted;
    Ok(&sum - &*BigNum::from_u32(1)?)
}

fn power(exponent: i32) -> Result<BigNum, ErrorStack> {
    let mut number = BigNum::new()?;
    number.set_bit(exponent)?;
    Ok(number)
}

/// ⌊2^bits·e⌋, by the series of e, with some bits to spare for what each term loses.
fn scaled_e(bits: i32) -> Result<BigNum, ErrorStack> {
    const SPARE: i32 = 64;
    let mut term = power(bits + SPARE)?;
    let mut sum = BigNum::new()?;
    let mut divisor = 1;
    while term.num_bits() > 0 {
        sum = &sum + &term;
        term.div_word(divisor)?;
        divisor += 1;
    }
    let mut scaled = BigNum::new()?;
    scaled.rshift(&sum, SPARE)?;
    Ok(scaled)
}
