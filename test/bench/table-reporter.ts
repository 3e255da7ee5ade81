import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { FIGURES, type Figure } from './figures.ts'

type Row = { readonly bench: string } & Figure

const folder = join(import.meta.dirname, '..', '..', 'bench-results')

/** Prints what was measured as a table, and keeps it as JSON. */
class TableReporter implements Reporter {
  #rows: Row[] = []
  #failures: string[] = []

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const { name, body } of result.attachments)
      if (name === FIGURES && body !== undefined)
        // JSON has no number for what could not be measured.
        for (const figure of JSON.parse(body.toString()) as (Omit<Figure, 'value'> & { readonly value: number | null })[]) this.#rows.push({ bench: test.title, ...figure, value: figure.value ?? Number.NaN })
    if (result.status !== 'passed') this.#failures.push(`${test.title}: ${result.error?.message ?? result.status}`)
  }

  onEnd(): void {
    if (this.#rows.length + this.#failures.length === 0) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'bench.json'), `${JSON.stringify(this.#rows, undefined, 2)}\n`)
    const cells = this.#rows.map(({ bench, name, value, unit, goal }) => [
      bench,
      name,
      `${round(value)} ${unit}`,
      goal === undefined ? '' : `≤ ${goal} ${unit}`,
      goal === undefined ? '' : value <= goal ? 'reached' : 'not yet',
    ])
    const widths = [0, 1, 2, 3, 4].map(column => Math.max(...cells.map(row => row[column]?.length ?? 0), 4))
    for (const row of cells) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd())
    for (const failure of this.#failures) console.log(`✗ ${failure}`)
    console.log(`\nbench-results/bench.json: ${this.#rows.length} figures`)
  }
}

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1))

// eslint wants named exports; Playwright wants a reporter as the default one.
export { TableReporter as default }
