//! A device's file from what was measured on this machine.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::results::{PrimitiveResult, Speed, megabytes_per_second};

/// Writes what `speed` measured of its one engine as a device.
pub fn write_device(speed: &Speed, out: &mut dyn Write) -> io::Result<()> {
    let [engine] = speed.engines.as_slice() else {
        return Err(io::Error::other("a device file is of one engine"));
    };
    let machine = &speed.machine;
    let cpu = machine.cpu.clone().unwrap_or_else(|| format!("unknown {} processor", machine.arch));
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        _ = writeln!(text, "{name} = {}", quoted(value)); // into a string, which does not fail
    };
    line("id", &engine.id);
    line("cpu", &cpu);
    line("library", &format!("{} {}", engine.library, engine.version));
    line("source", &format!("{} {} speed, {}", speed.tool.name, speed.tool.version, machine.date));
    line("engine", &engine.id);
    out.write_all(text.as_bytes())?;
    let mut sizes: Vec<u64> = speed.primitives.iter().filter_map(|result| result.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if !sizes.is_empty() {
        writeln!(out, "\n[throughput]\nunit = \"MB/s\"\nblock_sizes = {sizes:?}")?;
        write_throughputs(speed, &sizes, out)?;
    }
    writeln!(out, "\n[operation_ms]")?;
    for result in speed.primitives.iter().filter(|result| result.bytes.is_none()) {
        if let Some(each) = &result.per_operation_ns {
            writeln!(out, "{} = {:?}", result.primitive, each.median / 1e6)?;
        }
    }
    Ok(())
}

/// One line a primitive that was measured at every size.
fn write_throughputs(speed: &Speed, sizes: &[u64], out: &mut dyn Write) -> io::Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for PrimitiveResult { primitive, bytes, .. } in &speed.primitives {
        if bytes.is_some() && !names.contains(&primitive.as_str()) {
            names.push(primitive);
        }
    }
    for name in names {
        let at = |&size: &u64| {
            let result =
                speed.primitives.iter().find(|one| one.primitive == name && one.bytes == Some(size))?;
            Some(result.per_operation_ns?.median)
        };
        if let Some(times) = sizes.iter().map(at).collect::<Option<Vec<f64>>>() {
            let at_sizes = sizes.iter().zip(never_less(times));
            let speeds: Vec<f64> = at_sizes.map(|(&size, ns)| megabytes_per_second(size, ns)).collect();
            writeln!(out, "{name} = {speeds:?}")?;
        }
    }
    Ok(())
}

/// More bytes never take less time; where they seem to, as where two sizes fill as many blocks, that is noise.
fn never_less(times: Vec<f64>) -> impl Iterator<Item = f64> {
    times.into_iter().scan(0.0_f64, |most, ns| {
        *most = most.max(ns);
        Some(*most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_makes_no_curve_that_falls() {
        let times: Vec<f64> = never_less(vec![5.0, 4.9, 7.0, 6.0, 9.0]).collect();
        assert_eq!(times, [5.0, 5.0, 7.0, 7.0, 9.0]);
    }
}
