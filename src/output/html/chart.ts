// The interleaving as a sequence chart: a column a thread, a row a step. Arrows are drawn by the script over the rows.
import type { StepReport, TraceReport } from '../../verdict/index.js'
import { escapeHtml } from './markup.js'

/** Threads that take part, in order of creation. */
export const chartThreads = (trace: TraceReport): TraceReport['threads'] =>
  trace.threads.filter(({ number }) => trace.steps.some((step) => step.thread === number))

export const chart = (trace: TraceReport): string => {
  const threads = chartThreads(trace)
  const column = new Map(threads.map(({ number }, i) => [number, i]))
  const heads = threads.map(
    ({ name }, i) => `<div class="head c${i % 6}" style="grid-column:${i + 2}">${escapeHtml(name)}</div>`,
  )
  const lines = threads.map((_, i) => `<div class="lifeline c${i % 6}" style="grid-column:${i + 2}"></div>`)
  return [
    '<h2>Interleaving</h2>',
    `<div class="chart" style="--threads:${threads.length};--steps:${trace.steps.length}">`,
    `<div class="head number">#</div>${heads.join('')}${lines.join('')}`,
    ...trace.steps.map((step, i) => row(step, i, column.get(step.thread)!, trace)),
    '<svg class="arrows" aria-hidden="true"></svg>',
    '</div>',
  ].join('\n')
}

const row = (step: StepReport, i: number, column: number, trace: TraceReport): string => {
  const place =
    step.file === trace.file ? `${step.line}` : `${step.file.slice(step.file.lastIndexOf('/') + 1)}:${step.line}`
  const changed = step.changed.map(({ name, value }) => `${name} = ${value}`).join(', ')
  const other = /^(create|join) T(\d+)$/.exec(step.text)
  const arrow = other ? ` data-arrow="${other[1]}" data-other="${other[2]}"` : ''
  return [
    `<div class="number" style="grid-row:${i + 2}">${i + 1}</div>`,
    `<button type="button" class="step c${column % 6}${step.fails ? ' fails' : ''}" style="grid-row:${i + 2};grid-column:${column + 2}"`,
    ` data-step="${i}" data-thread="${step.thread}"${arrow}>`,
    `<span class="line">${escapeHtml(place)}</span> <code>${escapeHtml(step.text)}</code>`,
    step.fails ? '<span class="cross" aria-label="fails here"> ✗</span>' : '',
    changed ? `<span class="changed">${escapeHtml(changed)}</span>` : '',
    '</button>',
  ].join('')
}
