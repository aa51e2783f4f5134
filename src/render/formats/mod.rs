//! Formats of other tools: those that keep values over time, those that show test reports, and benchstat.

mod bmf;
mod gha;
mod gobench;
mod junit;
mod metrics;
mod openmetrics;

pub(super) use bmf::Bmf;
pub(super) use gha::Gha;
pub(super) use gobench::GoBench;
pub(super) use junit::Junit;
pub(super) use openmetrics::OpenMetrics;
