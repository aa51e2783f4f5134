//! The machine that measured, as far as it matters for the numbers.

use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The machine, its system, and how the tool was built for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// The processor's model; null if it cannot be had.
    pub cpu: Option<String>,
    /// Those of the processor's abilities that TLS libraries choose code by.
    pub features: Vec<String>,
    /// Logical processors that the tool may use.
    pub cores: Option<u64>,
    /// The operating system, such as `linux`.
    pub os: String,
    /// The processor's architecture, such as `x86_64`.
    pub arch: String,
    /// Release of the system's kernel; null if it cannot be had.
    pub kernel: Option<String>,
    /// The target triple that the tool was compiled for.
    pub target: String,
    /// The optimisation level that it was compiled with.
    pub opt_level: String,
    /// When the run began, UTC, RFC 3339.
    pub date: String,
}

/// Something in which two machines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, such as `processor`.
    pub what: String,
    /// What one has.
    pub one: String,
    /// What the other has.
    pub other: String,
}

impl Machine {
    /// This machine, now.
    pub fn this_one() -> Self {
        Self {
            cpu: cpu_model(),
            features: cpu_features(),
            cores: std::thread::available_parallelism().ok().map(|cores| cores.get() as u64),
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            kernel: kernel_release(),
            target: env!("TLSPAIR_TARGET").to_owned(),
            opt_level: env!("TLSPAIR_OPT_LEVEL").to_owned(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        }
    }

    /// What makes times of the two machines incomparable; nothing if they may be the same.
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let facts = |machine: &Self| {
            [
                ("processor", said(machine.cpu.as_ref())),
                ("processor features", machine.features.join(" ")),
                ("cores", said(machine.cores)),
                ("operating system", machine.os.clone()),
                ("architecture", machine.arch.clone()),
                ("target", machine.target.clone()),
            ]
        };
        Difference::between(facts(self), facts(other))
    }

    /// What differs and may change times a little.
    pub fn lesser_differences(&self, other: &Self) -> Vec<Difference> {
        let facts = |machine: &Self| {
            [("kernel", said(machine.kernel.as_ref())), ("optimisation level", machine.opt_level.clone())]
        };
        Difference::between(facts(self), facts(other))
    }
}

impl Difference {
    /// Those facts, given by name in one order, that are not the same on both sides.
    pub fn between<What: Into<String>>(
        one: impl IntoIterator<Item = (What, String)>,
        other: impl IntoIterator<Item = (What, String)>,
    ) -> Vec<Self> {
        let said = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        one.into_iter()
            .zip(other)
            .filter(|((_, one), (_, other))| one != other)
            .map(|((what, one), (_, other))| Self { what: what.into(), one: said(one), other: said(other) })
            .collect()
    }

    /// In words, given the names of the two that were compared.
    pub fn words(&self, one: &str, other: &str) -> String {
        format!("{}: {} in {one}, {} in {other}", self.what, self.one, self.other)
    }
}

fn said(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu_model() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    let words: Vec<&str> = brand.as_str().split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn cpu_model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let value = |wanted: &str| {
        text.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == wanted)
            .map(|(_, value)| value.trim().to_owned())
    };
    value("model name").or_else(|| value("Model")).or_else(|| value("CPU part"))
}

/// Asks for each feature by the name that Linux prints; the standard library asks the system too, whether it may
/// be used.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu_features() -> Vec<String> {
    let known = [
        ("aes", std::is_x86_feature_detected!("aes")),
        ("pclmulqdq", std::is_x86_feature_detected!("pclmulqdq")),
        ("vaes", std::is_x86_feature_detected!("vaes")),
        ("vpclmulqdq", std::is_x86_feature_detected!("vpclmulqdq")),
        ("sha_ni", std::is_x86_feature_detected!("sha")),
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
        ("bmi2", std::is_x86_feature_detected!("bmi2")),
        ("adx", std::is_x86_feature_detected!("adx")),
    ];
    present(&known)
}

#[cfg(target_arch = "aarch64")]
fn cpu_features() -> Vec<String> {
    let known = [
        ("asimd", std::arch::is_aarch64_feature_detected!("neon")),
        ("aes", std::arch::is_aarch64_feature_detected!("aes")),
        ("pmull", std::arch::is_aarch64_feature_detected!("pmull")),
        ("sha2", std::arch::is_aarch64_feature_detected!("sha2")),
        ("sha3", std::arch::is_aarch64_feature_detected!("sha3")),
        ("sve2", std::arch::is_aarch64_feature_detected!("sve2")),
    ];
    present(&known)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn cpu_features() -> Vec<String> {
    Vec::new()
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
fn present(known: &[(&str, bool)]) -> Vec<String> {
    known.iter().filter(|(_, has)| *has).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(unix)]
fn kernel_release() -> Option<String> {
    Some(rustix::system::uname().release().to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn kernel_release() -> Option<String> {
    None
}
