// Colours mark threads, but every thread also has its column and name. Light and dark follow the reader's setting.
export const STYLE = String.raw`
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2430; --soft: #5b6675; --edge: #d9dee6;
  --now: #fff3bf; --bad: #b3261e; --good: #1b6e3c; --warn: #8a5a00; --key: #6d28d9; --quote: #0f6b6b; --note: #6a7482;
  --t0: #2457c5; --t1: #b4480f; --t2: #1b7a4b; --t3: #8b2fa8; --t4: #946200; --t5: #0f6f86; }
@media (prefers-color-scheme: dark) { :root { --page: #14181e; --card: #1c222b; --ink: #e6eaf0; --soft: #9aa6b5; --edge: #333c48;
  --now: #4a4217; --bad: #ff8a80; --good: #6fd59a; --warn: #f0bf5e; --key: #c4a7ff; --quote: #6fd3d3; --note: #8f9bab;
  --t0: #8fb4ff; --t1: #ffab7d; --t2: #7fdcab; --t3: #e09dff; --t4: #f2c66b; --t5: #7fd8ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
header, .controls, .facts { max-width: 1600px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 18px; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 2px 0 6px; }
h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 0 0 8px; }
.source h2 { text-transform: none; letter-spacing: 0; font-family: ui-monospace, monospace; }
p { margin: 0 0 6px; }
.where, .verdict, .hint, .made, .keys { color: var(--soft); font-size: .87rem; }
.verdict { font-family: ui-monospace, monospace; }
.false .mark, .cross { color: var(--bad); } .true .mark { color: var(--good); } .unknown .mark { color: var(--warn); }
.story { font-size: 1.02rem; }
.controls { position: sticky; top: 0; z-index: 5; display: flex; gap: 8px; align-items: center; padding-top: 8px; padding-bottom: 8px; background: var(--page); }
.controls button { font: inherit; min-width: 42px; min-height: 38px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); cursor: pointer; }
.controls output { min-width: 8.5em; text-align: center; font-variant-numeric: tabular-nums; }
button:focus-visible { outline: 3px solid var(--t0); outline-offset: 1px; }
.panes { max-width: 1600px; margin: 0 auto; padding: 4px 20px; display: grid; gap: 14px; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(230px, 2fr); }
.panes.single { grid-template-columns: minmax(0, 1fr); }
.panes > section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; overflow: auto; max-height: calc(100vh - 110px); min-height: 200px; }
.code { margin: 0; padding: 0; list-style: none; font: 12.5px/1.55 ui-monospace, SFMono-Regular, Menlo, monospace; }
.code li { white-space: pre-wrap; padding: 0 6px 0 calc(4.2em + 1ch); text-indent: -1ch; position: relative; border-left: 3px solid transparent; }
.code li::before { content: attr(data-line); position: absolute; left: 0; width: 3.4em; text-align: right; text-indent: 0; color: var(--note); }
.code .used { border-left-color: var(--edge); }
.code .now { background: var(--now); border-left-color: var(--bad); }
.code b { color: var(--key); font-weight: 500; } .code i { color: var(--note); } .code q { color: var(--quote); quotes: none; }
.chart { position: relative; display: grid; grid-template-columns: 2.6em repeat(var(--threads), minmax(84px, 1fr)); gap: 14px 8px; align-items: center; }
.head { position: sticky; top: -12px; background: var(--card); font-weight: 600; text-align: center; padding: 6px 2px; z-index: 3; grid-row: 1; border-bottom: 2px solid currentColor; }
.head.number { color: var(--soft); font-weight: 400; }
.number { grid-column: 1; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; font-size: .85rem; padding-right: 4px; }
.lifeline { grid-row: 2 / span var(--steps); justify-self: center; align-self: stretch; width: 0; border-left: 2px dotted; opacity: .35; margin: -14px 0 0; }
.c0 { color: var(--t0); } .c1 { color: var(--t1); } .c2 { color: var(--t2); } .c3 { color: var(--t3); } .c4 { color: var(--t4); } .c5 { color: var(--t5); }
.step { position: relative; z-index: 2; font: inherit; font-size: .86rem; text-align: left; width: 100%; padding: 6px 8px; background: var(--card); border: 1px solid; border-radius: 8px; cursor: pointer; }
.step code { color: var(--ink); font: 12.5px/1.4 ui-monospace, SFMono-Regular, Menlo, monospace; }
.step .line { font-size: .75rem; opacity: .85; font-variant-numeric: tabular-nums; }
.step .changed { display: block; color: var(--soft); font-size: .78rem; margin-top: 2px; }
.step.now { background: var(--now); box-shadow: 0 0 0 2px currentColor; }
.step.fails { border-color: var(--bad); border-width: 2px; }
.arrows { position: absolute; inset: 0; pointer-events: none; overflow: visible; z-index: 1; }
.arrows .switch { fill: none; stroke: var(--soft); stroke-width: 1.4; opacity: .8; } .arrows .tip { fill: var(--soft); }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; padding: 3px 8px 3px 0; vertical-align: top; font-weight: 400; }
.values th { font-family: ui-monospace, monospace; } .values td { font-variant-numeric: tabular-nums; overflow-wrap: normal; } .values td + td { color: var(--soft); font-size: .78rem; white-space: nowrap; }
.values .new { background: var(--now); } .values .new th { font-weight: 700; }
.facts { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); padding-top: 12px; padding-bottom: 28px; }
.facts section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; }
.facts th { color: var(--soft); } .facts .made { grid-column: 1 / -1; }
#graph { height: 56vh; min-height: 320px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page); }
#graph:focus-visible { outline: 3px solid var(--t0); }
.panes.proof { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); } .panes.proof > .graph { grid-row: span 2; max-height: none; }
.graph-controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 8px; }
.graph-controls button { font: inherit; min-height: 34px; padding: 0 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); cursor: pointer; }
.graph-node { margin-top: 10px; font-size: .9rem; } .graph-node ul { margin: 4px 0; padding-left: 1.2em; } .graph-node li, .formulas code { font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
.formulas th { color: var(--soft); } .formulas td:not(:last-child), .formulas th:not(:last-child) { white-space: nowrap; } .formulas td:first-child { color: var(--soft); font-variant-numeric: tabular-nums; } .formulas td:last-child { width: 100%; }
@media (max-width: 900px) {
  .panes.proof { grid-template-columns: minmax(0, 1fr); }
  header, .controls, .facts { padding-left: 12px; padding-right: 12px; }
  .panes { grid-template-columns: minmax(0, 1fr); padding: 4px 12px; }
  .interleaving { order: -2; } .values { order: -1; }
  .panes > section { max-height: 62vh; min-height: 0; }
  .keys { display: none; }
  .controls { justify-content: center; }
  h1 { font-size: 1.2rem; }
  .chart { grid-template-columns: 1.7em repeat(var(--threads), minmax(78px, 1fr)); gap: 12px 5px; }
  .step { padding: 5px 6px; }
  .head { font-size: .82rem; }
}
@media print { .controls { display: none; } .panes { display: block; } .panes > section { max-height: none; } }
`
