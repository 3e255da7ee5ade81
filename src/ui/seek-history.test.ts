import { afterAll, expect, it } from 'vitest'
import { createMemoryRouter } from 'react-router-dom'
import { seekHistory } from './seek-history.ts'
import { startStage } from './testing/stage.tsx'

const { system } = startStage()
afterAll(() => system.app.stop())

it('the history is read as soon as somebody is on the way to it, and only then', async () => {
  const router = createMemoryRouter(
    ['/machines', '/wus'].map((path) => ({ path, lazy: () => Promise.resolve({ Component: () => null }) })),
    { initialEntries: ['/machines'] },
  )
  const isUnread = () => system.history.getSnapshot().can({ type: 'history.open' })
  const seen: boolean[] = []
  router.subscribe(seekHistory(() => system))
  await router.navigate('/machines?order=name')
  seen.push(isUnread())
  const arrival = router.navigate('/wus')
  seen.push(isUnread(), router.state.location.pathname === '/wus')
  await arrival
  router.dispose()

  expect(seen).toEqual([true, false, false])
})
