import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from '../../src/app/replay/open-recording.ts'
import { selectFailures } from '../../src/machines/app/app.selectors.ts'
import type { System } from '../../src/machines/app/system.ts'
import type { PlayerRef } from '../../src/machines/screens/player/player.machine.ts'
import { selectEnd, selectMark } from '../../src/machines/screens/player/player.selectors.ts'
import type { Step } from './story/plan.ts'
import { DAY, SECOND } from './time/durations.ts'
import { buildOnce, simulate } from './simulate.ts'

buildOnce()

async function openSaved(bytes: Uint8Array, show: (system: System) => void): Promise<PlayerRef> {
  const player = await openFile(new Blob([new Uint8Array(bytes)]), { show, now: () => 0 })
  if (typeof player === 'string') return expect.fail(player)
  onTestFinished(() => {
    player.stop()
  })
  return player
}

/** The same file with a mark at this moment. */
function marked(bytes: Uint8Array, at: number, text: string): Uint8Array {
  const [header = '', ...lines] = gunzipSync(bytes).toString().split('\n')
  const withMark = JSON.stringify({ ...(JSON.parse(header) as object), mark: { at, text } })
  return gzipSync([withMark, ...lines].join('\n'))
}

test('what a page recorded in a simulated world is replayed as a recording of life, from its mark on if it has one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-recording-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = 0.02 * DAY
  const plan: readonly Step[] = [
    { at, kind: 'person', who: 'phone', does: 'openPage' },
    { at: at + 3 * SECOND, kind: 'person', who: 'phone', does: 'signIn' },
  ]
  const steps = join(folder, 'steps.json')
  writeFileSync(steps, JSON.stringify(plan))
  const saved = join(folder, 'saved')
  expect(await simulate('--days', '0.021', '--plan', steps, '--save', saved)).toMatch(/^0 /)
  const [file = expect.fail('Nothing was saved.')] = readdirSync(saved)
  let shown: System | undefined
  const bytes = readFileSync(join(saved, file))
  const player = await openSaved(bytes, system => (shown = system))
  expect(player.getSnapshot().context.timeline.isExact).toBe(true)
  expect(shown && shown.account.getSnapshot().hasTag('signedIn')).toBe(false)
  player.send({ type: 'player.seek', at: Infinity })
  if (shown === undefined) return expect.fail('Nothing is shown.')
  expect(shown.account.getSnapshot().hasTag('signedIn')).toBe(true)
  const machines = Object.values(shown.fleet.getSnapshot().context.members)
  expect(machines.filter(({ ref }) => ref.getSnapshot().hasTag('connected')).length).toBeGreaterThan(3)
  expect(selectFailures(shown.app.getSnapshot())).toEqual({})

  const [start, end] = [player.getSnapshot().context.timeline.from, selectEnd(player.getSnapshot())]
  const pointedAt = Math.round((start + end) / 2)
  const other = await openSaved(marked(bytes, pointedAt, 'no command twice'), system => (shown = system))
  expect(selectMark(other.getSnapshot())).toEqual({ at: pointedAt, text: 'no command twice' })
  expect(other.getSnapshot().context.at).toBeGreaterThan(start)
  expect(other.getSnapshot().context.at).toBeLessThanOrEqual(pointedAt)
})
