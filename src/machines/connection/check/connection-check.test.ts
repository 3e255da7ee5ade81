import { describe, expect, it } from 'vitest'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { diagnose } from '../../../folding/client/connection-diagnosis.ts'
import type { CheckEnvironment } from './connection-check.events.ts'
import { connectionCheckMachine } from './connection-check.machine.ts'
import { selectCheckFacts, selectMadeProbes } from './connection-check.selectors.ts'

const environment: CheckEnvironment = {
  page: { origin: 'http://localhost:7400', isSecureContext: true },
  browser: { name: 'chrome', system: 'linux' },
  isSignedIn: false,
}

function startCheck(run: () => void = () => undefined) {
  const inputs: unknown[] = []
  const { actor, clock, received } = startChild(
    connectionCheckMachine.provide({
      actors: {
        connectionProbes: fromCallback(({ input }) => {
          inputs.push(input)
          run()
        }),
      },
    }),
  )
  return { actor, clock, received, inputs, snapshot: () => actor.getSnapshot() }
}

describe('the connection check', () => {
  it('shows results as they come, and decides when all are there', () => {
    const { actor, received, inputs, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: 'node2:7396', subject: 'client' })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(selectCheckFacts(snapshot())).toBeUndefined()
    expect(inputs).toEqual([{ address: 'node2:7396' }])
    actor.send({ type: 'probes.began', environment })
    actor.send({ type: 'probes.found', results: { socket: { outcome: 'failed' } } })
    expect(selectMadeProbes(snapshot())).toEqual(['socket'])
    actor.send({ type: 'probes.found', results: { request: 'answered' } })
    expect(selectMadeProbes(snapshot())).toEqual(['socket', 'request'])
    expect(snapshot().hasTag('decided')).toBe(false)
    actor.send({ type: 'probes.ended' })
    expect(snapshot().hasTag('decided')).toBe(true)
    expect(snapshot().hasTag('busy')).toBe(false)
    const facts = selectCheckFacts(snapshot())
    expect(facts).toEqual({
      subject: 'client',
      address: { host: 'node2', port: 7396 },
      ...environment,
      results: { socket: { outcome: 'failed' }, request: 'answered' },
    })
    expect(selectCheckFacts(snapshot())).toBe(facts)
    expect(received).toEqual([])
  })

  it('reports when the client can be reached, so that the next attempt is made at once', () => {
    const { actor, received, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: '127.0.0.1:7396', subject: 'page' })
    actor.send({ type: 'probes.began', environment })
    actor.send({
      type: 'probes.found',
      results: { socket: { outcome: 'client', version: '8.5.7', link: 'none' } },
    })
    actor.send({ type: 'probes.ended' })
    expect(received).toEqual([{ type: 'check.reached' }])
    const facts = selectCheckFacts(snapshot())
    expect(facts === undefined ? undefined : diagnose(facts)).toBe('connected')
  })

  it('forgets what it found when it is made again, and when it is closed', () => {
    const { actor, inputs, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: 'node2', subject: 'client' })
    actor.send({ type: 'probes.began', environment })
    actor.send({ type: 'probes.found', results: { request: 'failed' } })
    actor.send({ type: 'probes.ended' })
    actor.send({ type: 'check.again' })
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(selectMadeProbes(snapshot())).toEqual([])
    expect(inputs.length).toBe(2)
    actor.send({ type: 'check.close' })
    expect(snapshot().hasTag('open')).toBe(false)
  })

  it('takes the usual address for one that is none', () => {
    const { actor, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: '', subject: 'page' })
    expect(snapshot().context.address).toBe('127.0.0.1:7396')
  })

  it('decides by what is known when probes never end', () => {
    const { actor, clock, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: 'node2', subject: 'client' })
    actor.send({ type: 'probes.began', environment })
    clock.increment(29_999)
    expect(snapshot().hasTag('busy')).toBe(true)
    clock.increment(1)
    expect(snapshot().hasTag('decided')).toBe(true)
  })

  it('reports that it cannot be made, and can be tried again', () => {
    const { actor, snapshot } = startCheck()
    actor.send({ type: 'check.open', address: 'node2', subject: 'client' })
    actor.send({ type: 'probes.unavailable', fault: 'serverAway' })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(snapshot().context.loadFault).toBe('serverAway')
    actor.send({ type: 'check.again' })
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(snapshot().context.loadFault).toBeUndefined()
  })

  it('survives probes that throw', () => {
    const { actor, snapshot } = startCheck(() => {
      throw new Error('a mistake')
    })
    actor.send({ type: 'check.open', address: 'node2', subject: 'client' })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(snapshot().context.loadFault).toBe('damaged')
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(connectionCheckMachine, {
      events: [
        { type: 'check.open', address: 'node2', subject: 'client' },
        { type: 'probes.ended' },
        { type: 'probes.unavailable', fault: 'serverAway' },
        { type: 'check.again' },
        { type: 'check.close' },
      ],
      silence: ['notifyParent'],
      context: ({ loadFault }) => loadFault,
    })
    expect(unreached).toEqual([])
  })
})
