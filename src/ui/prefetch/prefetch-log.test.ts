import { afterAll, expect, it } from 'vitest'
import { selectClientRef } from '../../machines/connection/fleet/fleet.selectors.ts'
import { isAttended, isNear } from '../../machines/screens/log/log.selectors.ts'
import { expectLog } from './prefetch-log.ts'
import { startStage } from '../testing/stage.tsx'

const FAR = 'far away'
const stage = startStage()
const { system } = stage
const { id } = stage.client().getSnapshot().context
system.fleet.send({ type: 'fleet.machinesListed', account: 'account', machines: [{ id: FAR, name: 'Far' }] })
afterAll(() => system.app.stop())

const look = expectLog(() => system)
const readers = (machine: string): number | undefined =>
  selectClientRef(machine)(system.fleet.getSnapshot())?.getSnapshot().context.logReaders

/** Whether a hand is near, and how many read the log of either machine. */
const after = (path: string | undefined, isTaken = false) => {
  look({ path, isTaken })
  return [isNear(system.log.getSnapshot()), readers(id), readers(FAR)]
}

it('a machine is asked for its log when a hand comes to what opens it, through a relay when the hand stays, and while its screen is being made', () => {
  expect(after('/machines')).toEqual([false, 0, 0])
  expect(after('/nobody/log', true)).toEqual([false, 0, 0])
  expect(after(`/${id}/details`, true)).toEqual([false, 0, 0])
  expect(after('/far%20away/log')).toEqual([true, 0, 0])
  expect(after('/machines', true)).toEqual([true, 0, 0])
  expect(after(undefined)).toEqual([false, 0, 0])
  expect(after('/far%20away/log', true)).toEqual([false, 0, 1])
  stage.pass(5000)
  expect(after(`/${id}/log`)).toEqual([false, 1, 0])
  expect(after(undefined)).toEqual([false, 1, 0])
  expect(isAttended(system.log.getSnapshot())).toBe(false)
})
