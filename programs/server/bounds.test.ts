import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_VIEWS } from '../../src/folding/fleet/saved-views.ts'
import { MAX_TAGGED_CLIENTS, MAX_TAGS, MAX_TAGS_PER_MACHINE } from '../../src/folding/fleet/tags.ts'
import { MOST_INTERVALS } from '../../src/folding/power/price.ts'
import {
  MOST_CHEAPEST,
  MOST_GROUPS,
  MOST_RULES,
  MOST_SCHEDULES,
  MOST_SURPLUS,
  MOST_TARGETS,
  MOST_ZONES,
} from '../../src/folding/schedule/schedule.ts'
import { UNITS_A_PAGE, UNITS_A_REQUEST } from '../../src/folding/unit/server-history.ts'
import { MAX_DEPTH } from '../../src/protocol/json.ts'
import { MOST_COST } from './access/passwords.ts'
import { MOST_BODY_BYTES, MOST_FORM_BYTES } from './http/api.ts'
import { MOST_SHARED_BYTES } from './http/shared-routes.ts'
import { MOST_SUBJECTS, SLICE } from './machines/schedules/schedules.machine.ts'
import { MOST_PEAK_WATTS } from './power/meter.ts'
import { MOST_ENTRIES } from './power/price-lists.ts'
import { MOST_LISTS } from './store/power-store.ts'
import { MOST_INPUTS } from './store/schedule-store.ts'
import { MOST_COPIES } from './store/sqlite.ts'

const BOUNDS: readonly (readonly [what: string, most: number])[] = [
  ['bytes of a body', MOST_BODY_BYTES],
  ['bytes of a form', MOST_FORM_BYTES],
  ['bytes of a change of tags, views or power', MOST_SHARED_BYTES],
  ['depth of JSON', MAX_DEPTH],
  ['memory of the hash of a password in KiB, times its passes', MOST_COST],
  ['schedules', MOST_SCHEDULES],
  ['rules of all schedules together', MOST_RULES],
  ['of these, rules of cheap hours', MOST_CHEAPEST],
  ['of these, rules of surplus', MOST_SURPLUS],
  ['machines and tags that schedules name', MOST_TARGETS],
  ['resource groups that schedules name', MOST_GROUPS],
  ['time zones of schedules', MOST_ZONES],
  ['machines and groups that are decided by themselves', MOST_SUBJECTS],
  ['machines and groups that are decided at once, before other messages come', SLICE],
  ['machines with tags', MAX_TAGGED_CLIENTS],
  ['tags of a machine', MAX_TAGS_PER_MACHINE],
  ['tags of all machines together', MAX_TAGS],
  ['saved views', MAX_VIEWS],
  ['inputs', MOST_INPUTS],
  ['lists of prices', MOST_LISTS],
  ['prices of a list; the newest are kept', MOST_INTERVALS],
  ['prices of one message', MOST_ENTRIES],
  ['watts that are believed as the most that a meter has shown', MOST_PEAK_WATTS],
  ['units of one page of the history', UNITS_A_PAGE],
  ['units that a page gives at once', UNITS_A_REQUEST],
  ['copies of a database as it was before migrations', MOST_COPIES],
]

function table(): string {
  const rows = BOUNDS.map(([what, most]) => [what, most.toLocaleString('en-US')] as const)
  const [first, second] = [0, 1].map(column => Math.max(7, ...rows.map(row => row[column]?.length ?? 0)))
  const line = (a: string, b: string): string => `| ${a.padEnd(first ?? 0)} | ${b.padEnd(second ?? 0)} |`
  const rule = `| ${'-'.repeat(first ?? 0)} | ${'-'.repeat(second ?? 0)} |`
  return [line('bound', 'at most'), rule, ...rows.map(([what, most]) => line(what, most))].join('\n')
}

test('docs/server.md has the table of bounds; `npx vitest run server/bounds -u` writes it', async () => {
  const path = join(import.meta.dirname, '../../docs/server.md')
  const now = readFileSync(path, 'utf8').replace(/^\| bound [^\n]*\n(?:\|[^\n]*\n)*/m, () => `${table()}\n`)
  expect(now).toContain(table())
  await expect(now).toMatchFileSnapshot(path)
})
