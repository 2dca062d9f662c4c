// The interleaving as a sequence chart: one column per thread, one row per step, and what it ends in. The script draws
// links between the rows. For a keyboard and for a screen reader the steps are one list, with one tab stop.
import type { Ending, StepReport, TraceReport } from '../../verdict/index.js'
import { changesText } from '../changes.js'
import { type Fold, foldsOf } from '../folds.js'
import { escapeHtml, statementHtml, tag } from './markup.js'

/** Threads that take a step or are part of the ending, in order of creation. */
export const chartThreads = ({ threads, steps, ending }: TraceReport): TraceReport['threads'] => {
  const ends = ending?.kind === 'race' ? ending.accesses : (ending?.waiting ?? [])
  return threads.filter(({ number }) => [...steps, ...ends].some(({ thread }) => thread === number))
}

export const chart = (trace: TraceReport): string => {
  const threads = chartThreads(trace)
  const column = new Map(threads.map(({ number }, i) => [number, i]))
  const heads = threads.map(({ name }, i) => `<div class="head c${i % 6}">${escapeHtml(name)}</div>`)
  const lifelines = threads.map((_, i) => `<span class="c${i % 6}" style="grid-column:${i + 2}"></span>`)
  const folds = foldsOf(trace.steps)
  const rows = trace.steps.map((step, i) => {
    const fold = folds.findIndex(({ from, to }) => from <= i && i < to)
    const opening = fold >= 0 && folds[fold]!.from === i ? foldRow(fold, folds[fold]!) : ''
    return opening + row(step, i, column.get(step.thread)!, trace, fold)
  })
  return [
    `<div class="chart-frame" style="--threads:${threads.length}">`,
    `<div class="heads columns"><div class="head number">#</div>${heads.join('')}</div>`,
    '<div class="body">',
    `<div class="lifelines columns" aria-hidden="true">${lifelines.join('')}</div>`,
    '<svg class="arrows" aria-hidden="true"></svg>',
    '<div id="chart" role="listbox" tabindex="0" aria-label="Steps of the execution">',
    ...rows,
    '</div>',
    trace.ending ? endingRow(trace.ending, column, trace) : '',
    '</div></div>',
  ].join('\n')
}

const place = ({ file, line }: { readonly file: string; readonly line: number }, trace: TraceReport): string =>
  file === trace.file ? `${line}` : `${file.slice(file.lastIndexOf('/') + 1)}:${line}`

const row = (step: StepReport, i: number, column: number, trace: TraceReport, fold: number): string => {
  const changed = changesText(step.changed)
  const folded = fold >= 0 ? ` data-fold="${fold}" hidden` : ''
  return [
    `<div class="row columns"${folded}><span class="number" aria-hidden="true">${i + 1}</span>`,
    `<div role="option" id="step-${i}" aria-selected="false" class="step c${column % 6}${step.fails ? ' fails' : ''}"`,
    ` style="grid-column:${column + 2}" data-step="${i}" data-thread="${step.thread}">`,
    `<span class="line">${escapeHtml(place(step, trace))}</span> ${statementHtml(step.text)}`,
    step.fails ? '<span class="cross"> ✗ <span class="unseen">fails here</span></span>' : '',
    changed === '' ? '' : tag('span', changed, 'changed'),
    '</div></div>',
  ].join('')
}

const foldRow = (index: number, { from, to, times, isNextThread }: Fold): string =>
  `<div class="row fold" data-opens="${index}" role="option" aria-selected="false">⟳ the same steps again${times === 1 ? '' : `, ${times} times`}${isNextThread ? ', each time with the next thread' : ''}: steps ${from + 1} to ${to} (click to unfold)</div>`

const holding = (locks: readonly string[] | undefined): readonly string[] =>
  locks === undefined ? [] : [locks.length > 0 ? `holding ${locks.join(', ')}` : 'holding no lock']

/** Boxes side by side: nothing orders the accesses of a race, and no thread of a deadlock goes on. */
const endingRow = (ending: Ending, column: ReadonlyMap<number, number>, trace: TraceReport): string => {
  const name = (thread: number): string => trace.threads.find(({ number }) => number === thread)?.name ?? `T${thread}`
  const box = (thread: number, text: string, inner: readonly string[], extra: string): string => {
    const c = column.get(thread) ?? 0
    return [
      `<div class="end c${c % 6}${extra}" style="grid-column:${c + 2}" data-thread="${thread}">`,
      `<span class="cross">✗</span> ${text}`,
      ...inner.map((line) => tag('span', line, 'changed')),
      '</div>',
    ].join('')
  }
  const code = (at: { file: string; line: number; text: string }): string =>
    `<span class="line">${escapeHtml(place(at, trace))}</span> ${statementHtml(at.text)}`
  switch (ending.kind) {
    case 'race': {
      const boxes = ending.accesses.map((access) => {
        const does = `${access.write ? 'writes' : 'reads'} ${access.name}`
        return box(access.thread, code(access), [does, ...holding(access.locks)], '')
      })
      return `<div class="ending race" role="group" aria-label="The race"><p class="hint">at the same time</p><div class="columns">${boxes.join('')}</div></div>`
    }
    case 'deadlock': {
      const boxes = ending.waiting.map((waiting) => {
        const on =
          waiting.on === undefined || waiting.joins
            ? []
            : [`held by ${waiting.on === waiting.thread ? 'itself' : name(waiting.on)}`]
        const inCircle = ending.circle?.includes(waiting.thread) ? ' circle' : ''
        return box(waiting.thread, code(waiting), [`waits for ${waiting.waitsFor}`, ...on], inCircle)
      })
      return `<div class="ending deadlock" role="group" aria-label="The deadlock"><p class="hint">every thread here waits for ever</p><div class="columns">${boxes.join('')}</div></div>`
    }
  }
}
