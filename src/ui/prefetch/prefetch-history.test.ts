import { afterAll, expect, it } from 'vitest'
import { seekHistory } from './prefetch-history.ts'
import { startStage } from '../testing/stage.tsx'

const { system } = startStage()
afterAll(() => system.app.stop())

it('the history is read as soon as somebody is on the way to it, and only then', () => {
  const seek = seekHistory(() => system)
  const isUnread = () => system.history.getSnapshot().can({ type: 'history.open' })
  const seen = ['/machines', '/stats', '/wus', '/wus'].map(path => {
    seek({ path, isTaken: false })
    return isUnread()
  })

  expect(seen).toEqual([true, true, false, false])
})
