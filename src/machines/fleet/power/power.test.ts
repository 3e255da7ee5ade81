import { fromCallback } from 'xstate'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import type { PowerProfile, PowerSettings, Tariffs } from '../../../folding/power/power.ts'
import { NO_REPORT } from '../../../folding/power/report.ts'
import type { KeepPower } from './power.events.ts'
import { powerMachine } from './power.machine.ts'
import { selectPower, selectPowerReport } from './power.selectors.ts'

const profile: PowerProfile = { idle: { watts: 50, origin: 'entered' }, gpus: {} }
const tariffs: Tariffs = {
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  price: { kind: 'fixed', price: 0.3 },
  co2: null,
}
const stored: PowerSettings = { machines: { a: profile }, tariffs: undefined }

const report = { ...NO_REPORT, meters: { a: { watts: 300, at: 1 } } }

function start(canAsk = true) {
  const saved: PowerSettings[] = []
  const { actor, received } = startChild(
    powerMachine.provide({
      actors: {
        powerStore: fromCallback<KeepPower, undefined>(({ receive }) => receive(({ value }) => saved.push(value))),
        powerReports: fromCallback(({ sendBack }) => {
          if (!canAsk) throw new Error('No network')
          sendBack({ type: 'power.reported', report })
        }),
      },
    }),
  )
  actor.send({ type: 'power.restored', power: stored })
  return { actor, saved, received, power: () => selectPower(actor.getSnapshot()) }
}

describe('power', () => {
  it('is restored without being kept again, and asks for what the server sent before', () => {
    const { saved, power, received } = start()
    expect(power()).toEqual(stored)
    expect(saved).toEqual([])
    expect(received).toEqual([{ type: 'power.started' }])
  })

  it('is kept after each change, of which the app is told', () => {
    const { actor, saved, received, power } = start()
    const change = { type: 'power.profile', machine: 'b', profile } as const
    const prices = { type: 'power.tariffs', tariffs } as const
    actor.send(change)
    actor.send(prices)
    const machines = { a: profile, b: profile }
    expect(power()).toEqual({ machines, tariffs })
    expect(saved).toEqual([
      { machines, tariffs: undefined },
      { machines, tariffs },
    ])
    expect(received.slice(1)).toEqual([
      { type: 'power.changed', change },
      { type: 'power.changed', change: prices },
    ])
  })

  it('is not kept when nothing changes', () => {
    const { actor, saved, received } = start()
    actor.send({ type: 'power.profile', machine: 'a', profile })
    actor.send({ type: 'power.profile', machine: '__proto__', profile })
    actor.send({ type: 'power.tariffs', tariffs })
    actor.send({ type: 'power.tariffs', tariffs })
    expect(saved.length).toBe(1)
    expect(received.length).toBe(2)
  })

  it('of a server replaces that of the browser, which keeps it only where it may change it', () => {
    const { actor, saved, power } = start()
    actor.send({ type: 'power.served', power: { machines: {}, tariffs }, isCopied: false })
    expect(power()).toEqual({ machines: {}, tariffs })
    expect(saved).toEqual([])
    actor.send({ type: 'power.served', power: stored, isCopied: true })
    expect(power()).toEqual(stored)
    expect(saved).toEqual([stored])
  })

  it('has what a server measured once one is known, and is asked again when that failed', () => {
    const { actor } = start()
    expect(selectPowerReport(actor.getSnapshot())).toEqual(NO_REPORT)
    actor.send({ type: 'power.served', power: stored, isCopied: false })
    expect(selectPowerReport(actor.getSnapshot())).toEqual(report)

    const failing = start(false)
    failing.actor.send({ type: 'power.served', power: stored, isCopied: false })
    expect(failing.actor.getSnapshot().value).toBe('own')
    expect(failing.power()).toEqual(stored)
  })
})
