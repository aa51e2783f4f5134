"""The results as Markdown."""

from statistics import median


def time(nanoseconds):
    for unit, size in [("ms", 1e6), ("µs", 1e3)]:
        if nanoseconds >= size:
            return f"{nanoseconds / size:#.4g}".rstrip(".") + f" {unit}"
    return f"{nanoseconds:.0f} ns"


def is_beyond(compared, limit):
    return abs(median(compared.ratios()) - 1) * 100 > limit


def markdown(rows, limit):
    lines = [
        "| library | primitive | bytes | own benchmark | tlspair | ratio | of all rounds | |",
        "|---|---|--:|--:|--:|--:|---|---|",
    ]
    for compared in rows:
        ratios = compared.ratios()
        cells = [
            compared.library,
            compared.row.name(),
            "" if compared.row.bytes is None else f"{compared.row.bytes:,}",
            time(median(compared.own)),
            time(median(compared.tlspair)),
            f"{median(ratios):.3f}",
            f"{min(ratios):.3f} to {max(ratios):.3f}",
            f"beyond {limit:g} %" if is_beyond(compared, limit) else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    beyond = sum(is_beyond(compared, limit) for compared in rows)
    lines.append(f"\n{len(rows) - beyond} of {len(rows)} within {limit:g} %; a ratio is tlspair's time by the benchmark's own.")
    return "\n".join(lines)
