import { expect, it, vi } from 'vitest'
import { runActor } from '../../../test/run-actor.ts'
import { LoadError } from '../../folding/shared/load-fault.ts'
import type { PartName } from '../../machines/app/app.parts.ts'
import type { CodeFact } from '../../machines/app/code.events.ts'
import { codeLoader } from './code-loader.ts'

it('loads a part once, and again only after a failure, whose reason it reports', async () => {
  const failures = [new LoadError('serverAway'), new TypeError('a mistake')]
  const load = vi.fn((_: PartName) => {
    const failure = failures.shift()
    return failure === undefined ? Promise.resolve() : Promise.reject(failure)
  })
  const { send, next, stop } = runActor<CodeFact>(codeLoader(load))
  const ask = () => {
    send({ type: 'code.load', part: 'viewer' })
    return next(() => true)
  }
  expect(await ask()).toEqual({ type: 'code.failed', part: 'viewer', fault: 'serverAway' })
  expect(await ask()).toEqual({ type: 'code.failed', part: 'viewer', fault: 'damaged' })
  expect(await ask()).toEqual({ type: 'code.arrived', part: 'viewer' })
  send({ type: 'code.load', part: 'viewer' })
  expect(load).toHaveBeenCalledTimes(3)
  stop()
})
