//! The style sheet.

/// All of it; light and dark, screen and paper.
pub(super) const STYLE: &str = "
:root{color-scheme:light dark;--paper:#fff;--raised:#f4f6f8;--ink:#1a1e23;--soft:#515a64;--line:#c9d0d7;--accent:#0b5cad;
--alarm-paper:#fdf0d5;--alarm-line:#9a5b00;
--c0:#0b62a8;--c1:#b34700;--c2:#1d7a46;--c3:#8b3fa0;--c4:#a8123e;--c5:#0d7480;--c6:#6b6f1a;--c7:#67707a;--c8:#4b4a9c}
@media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--raised:#1e2329;--ink:#e8ebee;--soft:#aab4be;--line:#3d4650;
--accent:#7ab8f5;--alarm-paper:#33270f;--alarm-line:#e0a030;
--c0:#4f9fe6;--c1:#f0904a;--c2:#56bd82;--c3:#c98ade;--c4:#f0738f;--c5:#4fb8c4;--c6:#bfc25a;--c7:#99a3ad;--c8:#a7a5f0}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main,header,footer{max-width:75rem;margin:0 auto;padding:0 1rem}
h1{font-size:1.8rem;line-height:1.2;margin:1.5rem 0 .5rem}
h2{font-size:1.4rem;line-height:1.25;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:3px solid var(--line);overflow-wrap:anywhere}
h3{font-size:1.12rem;margin:2rem 0 .4rem}
p,li,dd{overflow-wrap:anywhere;max-width:48rem}
p{margin:.4rem 0}
ul{padding-left:1.2rem;margin:.4rem 0}
a{color:var(--accent)}
nav ul{list-style:none;padding-left:0}
nav ul ul{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;padding-left:1rem}
nav li{padding:.15rem 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.alarm{border:1px solid var(--alarm-line);border-left-width:6px;background:var(--alarm-paper);padding:.5rem .8rem;margin:.8rem 0;max-width:48rem}
.verdict{font-size:1.08rem;font-weight:600}
dl{display:grid;grid-template-columns:minmax(5.5rem,max-content) 1fr;gap:.2rem 1rem;margin:.8rem 0;max-width:56rem}
dt{color:var(--soft)}dd{margin:0}
.list-head{font-weight:600;margin-top:1rem}
.notes{list-style:none;padding-left:0;font-size:.9rem;color:var(--soft)}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));gap:1rem 2rem;align-items:start}
figure{margin:.6rem 0;min-width:0;break-inside:avoid}
figcaption{font-weight:600;margin-bottom:.3rem;overflow-wrap:anywhere}
svg{display:block;overflow:hidden;font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
svg svg{overflow:visible}
svg.definitions{position:absolute}
svg text{fill:var(--ink)}
svg text.h{font-weight:600}
svg text.s{fill:var(--soft)}
svg text.on{font-weight:700;stroke:var(--paper);stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
svg line{stroke:var(--ink);stroke-width:1.5}
svg line.axis{stroke:var(--line)}
svg line.one{stroke:var(--ink);stroke-width:1}
svg line.limit{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 3}
svg line.dashed{stroke-dasharray:4 3}
svg line.dotted{stroke-dasharray:1.5 2.5}
svg .track{fill:var(--raised)}
svg .mark{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}
svg .mark.hollow{fill:var(--paper)}
svg .texture{fill:none;stroke:var(--paper);stroke-width:1.4;opacity:.75}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}.c7{fill:var(--c7)}.c8{fill:var(--c8)}
.f0{fill:url(#p0)}.f1{fill:url(#p1)}.f2{fill:url(#p2)}.f3{fill:url(#p3)}.f4{fill:url(#p4)}.f5{fill:url(#p5)}.f6{fill:url(#p6)}.f7{fill:url(#p7)}.f8{fill:url(#p8)}
details{margin:.5rem 0}
summary{cursor:pointer;color:var(--accent);padding:.25rem 0;overflow-wrap:anywhere}
details.numbers summary{font-size:.88rem}
.scroll{overflow-x:auto;margin:.6rem 0;max-width:100%;width:fit-content;
background:linear-gradient(to left,var(--paper) 1rem,transparent) right/3rem 100% no-repeat local,
linear-gradient(to left,var(--line),transparent) right/.7rem 100% no-repeat scroll}
table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0;max-width:min(48rem,calc(100vw - 2rem));overflow-wrap:anywhere}
.scroll caption{position:sticky;left:0}
th,td{padding:.22rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
thead th{background:var(--raised);vertical-align:bottom}
thead th[scope=colgroup]{text-align:center;border-left:1px solid var(--line)}
th[scope=row]{font-weight:600;background:var(--paper);white-space:normal;overflow-wrap:anywhere;min-width:6.5rem;max-width:22rem}
.n{text-align:right}
tbody+tbody tr:first-child>*{border-top:3px double var(--line)}
th[scope=row].n{min-width:3rem}
.numbers td{white-space:normal}
footer{color:var(--soft);font-size:.88rem;padding-bottom:2rem;margin-top:3rem}
@media screen and (min-width:48rem){.scroll th[scope=row]{position:sticky;left:0}}
@media print{body{font-size:10pt}main,header,footer{max-width:none;padding:0}.scroll{overflow:visible}
table{font-size:7pt}th,td{padding:1pt 3pt;white-space:normal}nav{display:none}details.numbers{display:none}
details::details-content{content-visibility:visible;block-size:auto}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
h2,h3,figcaption,caption{break-after:avoid}tr{break-inside:avoid}}
";
