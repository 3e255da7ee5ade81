import { expect, test } from 'vitest'
import { openServerStore } from '../store/sqlite.ts'
import { useService } from '../../../test/server-service.ts'

const { start } = useService()

test('a request that fails is logged with its method and path, and without what it asked for', async () => {
  const store = await openServerStore(undefined)
  const logged: unknown[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (...entry: unknown[]) => logged.push(entry) }
  const { origin } = await start('', {
    store: { ...store, actions: () => Promise.reject(new Error('The disk is broken')) },
    log,
  })
  const answer = await fetch(`${origin}/api/server/actions?limit=5`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ error: 'The server failed' })
  expect(logged).toEqual([
    [{ err: new Error('The disk is broken'), method: 'GET', path: '/api/server/actions' }, 'a request failed'],
  ])
})
