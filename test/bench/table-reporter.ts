import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { FIGURES, type Figure } from './figures.ts'

type Row = { readonly bench: string } & Figure
/** JSON has no number for what could not be measured. */
type Read = Omit<Figure, 'value'> & { readonly value: number | null }

const NAME_WIDTH = 46
const VALUE_WIDTH = 12

const folder = join(import.meta.dirname, '..', '..', 'bench-results')

/** Prints what was measured as soon as it is, and keeps it as JSON: a run that is ended halfway has still measured. */
class TableReporter implements Reporter {
  #rows: Row[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    const bench = `${test.title}, ${test.parent.project()?.name ?? ''}`
    const rows = result.attachments.flatMap(({ name, body }) =>
      name === FIGURES && body !== undefined
        ? (JSON.parse(body.toString()) as Read[]).map(({ value, ...rest }) => ({
            bench,
            ...rest,
            value: value ?? Number.NaN,
          }))
        : [],
    )
    this.#rows.push(...rows)
    console.log(`${bench} (${(result.duration / 1000).toFixed(0)} s)`)
    for (const row of rows) console.log(lineOf(row))
    if (result.status !== 'passed') console.log(`  ✗ ${result.error?.message ?? result.status}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'bench.json'), `${JSON.stringify(this.#rows, undefined, 2)}\n`)
  }

  onEnd(): void {
    console.log(`\nbench-results/bench.json: ${this.#rows.length} figures`)
  }
}

function lineOf({ name, value, unit, goal }: Row): string {
  return `  ${name.padEnd(NAME_WIDTH)}${`${round(value)} ${unit}`.padStart(VALUE_WIDTH)}${goal === undefined ? '' : `   ≤ ${goal} ${unit}: ${value <= goal ? 'reached' : 'not yet'}`}`
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1)
}

// The lint rules want named exports; Playwright wants a reporter as the default one.
export { TableReporter as default }
