// Colours mark threads, but every thread also has its column and name. Light and dark follow the reader's setting.
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2430; --soft: #5b6675; --edge: #d9dee6;
  --now: #fff3bf; --bad: #b3261e; --good: #1b6e3c; --warn: #8a5a00; --key: #6d28d9; --quote: #0f6b6b; --note: #5f6977;
  --t0: #2457c5; --t1: #b4480f; --t2: #1b7a4b; --t3: #8b2fa8; --t4: #946200; --t5: #0f6f86; }
@media (prefers-color-scheme: dark) { :root { --page: #14181e; --card: #1c222b; --ink: #e6eaf0; --soft: #9aa6b5; --edge: #333c48;
  --now: #4a4217; --bad: #ff8a80; --good: #6fd59a; --warn: #f0bf5e; --key: #c4a7ff; --quote: #6fd3d3; --note: #8f9bab;
  --t0: #8fb4ff; --t1: #ffab7d; --t2: #7fdcab; --t3: #e09dff; --t4: #f2c66b; --t5: #7fd8ee; } }
* { box-sizing: border-box; }
html, body { height: 100%; }
body { margin: 0; display: flex; flex-direction: column; height: 100dvh; overflow: hidden; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
header, .controls, .panes, .about { flex: none; width: 100%; max-width: 1800px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 10px; max-height: 34dvh; overflow: auto; }
h1 { font-size: 1.3rem; line-height: 1.25; margin: 2px 0 4px; }
h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 0 0 8px; }
.source h2 { text-transform: none; letter-spacing: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
p { margin: 0 0 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.where, .verdict, .hint, .made, .keys, .detail { color: var(--soft); font-size: .87rem; }
.verdict { font-family: ui-monospace, monospace; }
.false .mark, .cross { color: var(--bad); } .true .mark { color: var(--good); } .unknown .mark { color: var(--warn); }
.story { font-size: 1.02rem; }
.controls { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding-top: 6px; padding-bottom: 6px; }
.controls button { font: inherit; min-width: 38px; min-height: 34px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); cursor: pointer; }
.moves { display: flex; gap: 5px; align-items: center; }
.controls output { min-width: 8em; text-align: center; font-variant-numeric: tabular-nums; }
.links { display: flex; flex-wrap: wrap; gap: 2px 12px; border: 0; margin: 0; padding: 0; font-size: .87rem; }
.links label { display: flex; align-items: center; gap: 4px; } .links label::after { content: ''; width: 16px; border-top: 2px solid; }
.links .link-switch::after { border-color: var(--soft); } .links .link-thread::after { border-color: var(--t3); } .links .link-lock::after { border-color: var(--t4); } .links .link-value::after { border-color: var(--t2); }
#find { font: inherit; font-size: .87rem; min-height: 32px; width: 11em; padding: 0 8px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); }
#find::placeholder { color: var(--soft); opacity: 1; } #find.nothing { border-color: var(--bad); }
:focus-visible { outline: 3px solid var(--t0); outline-offset: 1px; }
.panes { flex: 1 1 0; min-height: 0; padding-top: 2px; padding-bottom: 4px; display: grid; gap: 12px; grid-template-rows: minmax(0, 1fr); grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) minmax(240px, 2fr); }
.panes.many { grid-template-columns: minmax(0, 4fr) minmax(0, 9fr); grid-template-rows: minmax(0, 3fr) minmax(0, 2fr); } .many .source { grid-area: 1 / 1; } .many .values { grid-area: 2 / 1; } .many .interleaving { grid-area: 1 / 2 / 3 / 3; }
.many .columns { grid-template-columns: 2.2em repeat(var(--threads), minmax(108px, 1fr)); } .many .chart-frame { min-width: calc(3.2em + var(--threads) * 116px); }
.panes.single { grid-template-columns: minmax(0, 1fr); }
.panes > section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; overflow: auto; min-height: 0; }
.code { margin: 0; padding: 0; list-style: none; font: 12.5px/1.55 ui-monospace, SFMono-Regular, Menlo, monospace; }
.code li { white-space: pre-wrap; padding: 0 6px 0 calc(4.2em + 1ch); text-indent: -1ch; position: relative; border-left: 3px solid transparent; scroll-margin: 60px 0; }
.code li::before { content: attr(data-line); position: absolute; left: 0; width: 3.4em; text-align: right; text-indent: 0; color: var(--note); }
.code .used { border-left-color: var(--edge); }
.code .ends { background: color-mix(in srgb, var(--bad) 14%, var(--card)); border-left-color: var(--bad); } .code .ends::after { content: ' ✗'; color: var(--bad); }
.code .now { background: var(--now); border-left-color: var(--bad); }
.holds { color: var(--good); } .code .holds { font-size: 12px; }
.code b { color: var(--key); font-weight: 500; } .code i { color: var(--note); } .code q { color: var(--quote); quotes: none; }
.interleaving { padding: 0 !important; }
.chart-frame { min-width: calc(4em + var(--threads) * 126px); padding: 0 12px 16px; }
.columns { display: grid; grid-template-columns: 2.6em repeat(var(--threads), minmax(118px, 1fr)); gap: 0 8px; }
.heads { position: sticky; top: 0; z-index: 3; background: var(--card); padding-top: 8px; }
.head { font-weight: 600; text-align: center; padding: 4px 2px; border-bottom: 2px solid currentColor; }
.head.number { color: var(--soft); font-weight: 400; }
.body { position: relative; padding-top: 12px; }
.lifelines { position: absolute; inset: 0; pointer-events: none; } .lifelines span { justify-self: center; border-left: 2px dotted; opacity: .35; }
#chart { border-radius: 6px; }
.row { position: relative; margin-bottom: 12px; align-items: center; scroll-margin: 60px 0; } .row[hidden] { display: none; }
.number { grid-column: 1; text-align: right; white-space: nowrap; color: var(--soft); font-variant-numeric: tabular-nums; font-size: .85rem; padding-right: 4px; }
.c0 { color: var(--t0); } .c1 { color: var(--t1); } .c2 { color: var(--t2); } .c3 { color: var(--t3); } .c4 { color: var(--t4); } .c5 { color: var(--t5); }
.step, .end { position: relative; z-index: 2; font-size: .86rem; padding: 5px 8px; background: var(--card); border: 1px solid; border-radius: 8px; scroll-margin: 60px 20px; }
.step { cursor: pointer; grid-row: 1; }
.step code, .end code { color: var(--ink); font: 12.5px/1.4 ui-monospace, SFMono-Regular, Menlo, monospace; }
.line { font-size: .78rem; font-variant-numeric: tabular-nums; }
.changed { display: block; color: var(--soft); font-size: .8rem; margin-top: 2px; }
.step.now { background: var(--now); box-shadow: 0 0 0 2px currentColor; }
.step.now .changed { color: var(--ink); }
.step.fails, .end { border-color: var(--bad); border-width: 2px; }
.fold { z-index: 2; text-align: center; color: var(--soft); background: var(--page); border: 1px dashed var(--edge); border-radius: 8px; padding: 4px 8px; cursor: pointer; font-size: .86rem; }
.ending { margin-top: 6px; padding-bottom: 46px; scroll-margin: 8px; } .ending .hint { text-align: center; } .ending .end { grid-row: 1; align-self: start; }
.arrows { position: absolute; inset: 0; pointer-events: none; overflow: visible; z-index: 1; }
.arrows path { fill: none; stroke-width: 1.5; } .arrows .tip { stroke: none; }
.arrows .switch { stroke: var(--soft); } .arrows .switch-tip { fill: var(--soft); }
.arrows .thread { stroke: var(--t3); stroke-dasharray: 5 3; } .arrows .thread-tip { fill: var(--t3); }
.arrows .lock { stroke: var(--t4); } .arrows .lock-tip { fill: var(--t4); }
.arrows .value { stroke: var(--t2); stroke-dasharray: 2 3; } .arrows .value-tip { fill: var(--t2); }
.arrows .conflict { stroke: var(--bad); stroke-width: 3; } .arrows .waits { stroke: var(--bad); } .arrows .waits-tip { fill: var(--bad); }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; padding: 3px 8px 3px 0; vertical-align: top; font-weight: 400; }
.values th { font-family: ui-monospace, monospace; } .values th, .values td { overflow-wrap: anywhere; } .values td { font-variant-numeric: tabular-nums; } .values td + td { white-space: nowrap; width: 1%; }
.values button { font: inherit; font-size: .8rem; color: var(--soft); background: none; border: 0; padding: 2px 4px; text-decoration: underline; cursor: pointer; }
.values .new { background: var(--now); } .values .new th { font-weight: 700; } .values .new button { color: var(--ink); }
.reasons thead th { color: var(--soft); font-size: .8rem; } .reasons tbody th { font-family: ui-monospace, monospace; }
.about { padding-top: 4px; padding-bottom: 6px; } .about summary { cursor: pointer; color: var(--soft); font-size: .87rem; min-height: 24px; }
.facts { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); padding: 8px 0; max-height: 46dvh; overflow: auto; }
.facts section { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px; }
.facts th { color: var(--soft); } .facts .made { grid-column: 1 / -1; }
.with-execution { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) !important; } .execution svg { display: block; } .picture { overflow-x: auto; } .execution .node { cursor: pointer; } .execution .node.now .box { fill: var(--now); stroke-width: 2.5; }
.relations { display: flex; flex-wrap: wrap; gap: 4px 18px; border: 0; margin: 0 0 10px; padding: 0; font-size: .87rem; } .relations label { display: flex; align-items: center; gap: 5px; font-family: ui-monospace, monospace; } .relations .meaning { color: var(--soft); font-family: system-ui, sans-serif; } .relations label::before { content: ''; width: 16px; border-top: 3px solid var(--line); }
.as-text summary { cursor: pointer; color: var(--soft); font-size: .87rem; min-height: 24px; } .as-text pre { overflow: auto; font: 12px/1.5 ui-monospace, monospace; }
#graph { height: 56vh; min-height: 320px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page); }
#graph:focus-visible { outline: 3px solid var(--t0); }
.panes.proof { grid-template-columns: minmax(0, 6fr) minmax(0, 6fr); grid-template-rows: none; grid-auto-rows: minmax(max-content, 1fr); overflow: auto; } .panes.proof > section { overflow: visible; } .panes.proof > .graph { grid-row: span 2; }
.panes.proof:has(.graph) { grid-template-rows: max-content minmax(max-content, 1fr); grid-auto-rows: max-content; } .panes.proof:has(.graph) > .source { grid-column: 1 / -1; }
.graph-controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 8px; }
.graph-controls button { font: inherit; min-height: 34px; padding: 0 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); cursor: pointer; }
.graph-node { margin-top: 10px; font-size: .9rem; } .graph-node ul { margin: 4px 0; padding-left: 1.2em; } .graph-node li, .formulas code { font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
.formulas th { color: var(--soft); } .formulas td:not(:last-child), .formulas th:not(:last-child) { white-space: nowrap; } .formulas td:first-child { color: var(--soft); font-variant-numeric: tabular-nums; } .formulas td:last-child { width: 100%; }
@media (max-width: 900px) {
  header, .controls, .panes, .about { padding-left: 10px; padding-right: 10px; }
  header { max-height: 26dvh; padding-top: 6px; } h1 { font-size: 1.1rem; } .verdict { display: none; }
  .panes, .panes.many { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 5fr) minmax(0, 3fr) minmax(0, 2fr); gap: 6px; } .panes.many > section { grid-area: auto; }
  .relations .meaning { display: none; }
  .panes.with-execution { grid-template-columns: minmax(0, 1fr) !important; grid-template-rows: minmax(0, 3fr) minmax(0, 2fr); }
  .panes.proof, .panes.proof:has(.graph), .panes.single { grid-template-columns: minmax(0, 1fr); grid-template-rows: none; overflow: auto; } .panes.proof > section { overflow: visible; }
  .interleaving { order: -1; }
  .panes > section { padding: 8px; }
  .keys, .links, #find { display: none; }
  .moves { width: 100%; justify-content: center; } .controls output { min-width: 6.5em; font-size: .87rem; } .controls button { min-width: 34px; padding: 0 4px; }
  .columns, .many .columns { grid-template-columns: 2.2em repeat(var(--threads), minmax(96px, 1fr)); gap: 0 5px; }
  .chart-frame, .many .chart-frame { min-width: calc(3.5em + var(--threads) * 101px); padding: 0 6px 16px; }
  .step, .end { padding: 4px 6px; }
  .head { font-size: .82rem; }
}
@media print { body { height: auto; overflow: visible; } .controls { display: none; } .panes { display: block; } .panes > section { overflow: visible; } }
`
