import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { emptySummary } from '../../../src/folding/client/totals.ts'
import { NOTHING_USED } from '../../../src/folding/power/energy.ts'
import { createMetrics } from './metrics.ts'

test('watts, energy and its cost are metrics of a machine, and what is not known is none', async () => {
  const client = (id: string, label: string) => ({
    id,
    label,
    name: label,
    isConnected: true,
    problem: 0 as const,
    summary: emptySummary,
    data: undefined,
    lastMessageAt: undefined,
    asOf: undefined,
  })
  const total = { ...NOTHING_USED, wattHours: 2, cost: -0.25 }
  const metrics = createMetrics({
    now: () => 20_000,
    machines: () => [client('a', 'attic'), client('b', 'cellar')],
    labels: () => key => key,
    sockets: () => 0,
    incidents: () => [],
    alerts: () => ({ waiting: 0, failing: 0, isAliveFailing: false }),
    power: id => (id === 'a' ? { watts: 250.5, origin: 'measured', total } : undefined),
    currency: () => 'EUR',
  })
  const lines = (await text(metrics.families()))
    .split('\n')
    .filter(line => /^foldboard_machine_(?:power|energy)/.test(line))
  expect(lines).toEqual([
    'foldboard_machine_power_watts{machine="attic",origin="measured"} 250.5',
    'foldboard_machine_energy_joules_total{machine="attic"} 7200',
    'foldboard_machine_energy_cost{machine="attic",currency="EUR"} -0.25',
  ])
})

test('the age of what is known is a metric of each machine that is connected', async () => {
  const metrics = createMetrics({
    now: () => 20_000,
    machines: () =>
      [
        { label: 'current', asOf: undefined, isConnected: true },
        { label: 'the "late" \\ one', asOf: 2000, isConnected: true },
        { label: 'off', asOf: 2000, isConnected: false },
      ].map(client => ({
        ...client,
        id: client.label,
        name: client.label,
        problem: 0 as const,
        summary: emptySummary,
        data: undefined,
        lastMessageAt: undefined,
      })),
    labels: () => key => key,
    sockets: () => 0,
    incidents: () => [],
    alerts: () => ({ waiting: 0, failing: 0, isAliveFailing: false }),
    power: () => undefined,
    currency: () => undefined,
  })
  const lines = (await text(metrics.families()))
    .split('\n')
    .filter(line => line.startsWith('foldboard_machine_age_seconds{'))
  expect(lines).toEqual([
    'foldboard_machine_age_seconds{machine="current"} 0',
    String.raw`foldboard_machine_age_seconds{machine="the \"late\" \\ one"} 18`,
  ])
})
