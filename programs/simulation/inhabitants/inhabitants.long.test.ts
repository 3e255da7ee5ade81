import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { buildOnce, simulate } from '../simulate.ts'
import type { Step } from '../story/plan.ts'
import { HOUR, MINUTE } from '../time/durations.ts'
import { LONGEST_LOOK } from './reports.ts'

buildOnce()

const shared = join(import.meta.dirname, '../../../../shared')

async function hold(does: string, minutes: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-inhabitants-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = HOUR
  const plan: readonly Step[] = [
    { at, kind: 'person', who: 'visitor', does },
    { at: at + minutes * MINUTE, kind: 'person', who: 'visitor', does: 'closePage' },
  ]
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
  return simulate('--machines', '0', '--days', '0.1', '--plan', join(folder, 'plan.json'))
}

test.skipIf(!existsSync(join(shared, 'cases')))(
  'a page shows what the clients of reports from the field say, with their incidents and no false one (../shared/cases)',
  async () => {
    expect(await hold('visitReports', LONGEST_LOOK / MINUTE)).toMatch(/^0 /)
  },
  300_000,
)

test.skipIf(!existsSync(join(shared, 'captures')))(
  'a page shows what recorded clients say (../shared/captures)',
  async () => {
    expect(await hold('visitRecordings', 6)).toMatch(/^0 /)
  },
  300_000,
)
