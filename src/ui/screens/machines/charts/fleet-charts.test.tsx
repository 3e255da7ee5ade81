// @vitest-environment jsdom
import { act, fireEvent, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import { formatIso } from '../../../../folding/text/times.ts'
import { emptyHistory, newInReport } from '../../../../folding/unit/history.ts'
import { useFleetFacts } from '../../../hooks/use-fleet-facts.ts'
import {
  flushPromises,
  renderScreen,
  START,
  startTestSystem,
  type TestSystem,
} from '../../../../../test/ui/test-system.tsx'
import { FleetCharts } from './fleet-charts.tsx'
import { PpdTrend } from './ppd-trend.tsx'

// A canvas, which jsdom does not have.
vi.mock('../../../parts/charts/start-plot.ts', () => ({
  startPlot: () => ({ moveCursor: () => undefined, stop: () => undefined }),
}))

afterEach(cleanup)

const HOUR = 3_600_000
const ids = ['__direct__']

function running(id: string, eta: string): Unit {
  return {
    id,
    state: 'RUN',
    eta,
    ppd: 48_000,
    wu_progress: 0.5,
    run_time: 3600,
    cpus: 4,
    gpus: [],
    assignment: { project: 18_420, time: formatIso(START - 2 * HOUR), timeout: 86_400, deadline: 172_800 },
  }
}

function ended(hoursAgo: number): Unit {
  return {
    id: `ended ${hoursAgo}`,
    state: 'UPLOAD',
    result: 'credited',
    end_time: formatIso(START - hoursAgo * HOUR),
    run_time: 4 * 3600,
    ppd: 24_000,
  }
}

/** A client with two units that run; with a history once `load` is called. */
function startClient() {
  const system = startTestSystem()
  system.receiveSnapshot({
    info: { id: 'attic', mach_name: 'Attic', version: '8.5.7' },
    config: {},
    groups: { '': { config: { paused: false } } },
    units: [running('a', '1h 30m'), running('b', '2d 1h')],
  })
  return system
}

function load({ system }: TestSystem): void {
  return act(() =>
    system.history.send({
      type: 'store.loaded',
      excerpt: newInReport(emptyHistory, { id: 'attic', name: 'Attic', owner: undefined, info: {} }, [
        ended(4),
        ended(8),
        ...[30, 40, 50].map(ended),
      ]),
      cutOffs: {},
    }),
  )
}

function figures(): readonly string[] {
  return screen.getAllByRole('definition').map(definition => definition.textContent.replaceAll(/\s+/g, ' '))
}

describe('the chart of points per day', () => {
  it('shows the units that run until the history is loaded, then what is usual, and the same as a table', () => {
    const client = startClient()
    renderScreen(client, <FleetCharts chart="ppd" ids={ids} />, '/machines?chart=ppd&range=day')
    expect(figures()).toEqual(['???', '0'])
    load(client)
    expect(figures()).toEqual(['24,000', '8,000'])
    const readout = screen.getByText('96,000', { selector: 'p > strong' }).parentElement
    expect(readout?.textContent).toBe('96,000 PPD now >200% of usual')
    fireEvent.keyDown(screen.getByRole('slider'), { key: 'ArrowLeft' })
    expect(readout?.textContent).toMatch(/^0 PPD .+ [AP]M$/)
    const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', { hidden: true })
    expect(rows.map(row => row.textContent).slice(0, 4)).toEqual([
      'HourPPD',
      expect.stringMatching(/96,000$/),
      expect.stringMatching(/M0$/),
      expect.stringMatching(/M0$/),
    ])
    expect(rows[5]?.textContent).toMatch(/24,000$/)
  })

  it('names the clients that are below what is usual for them, with their small chart', () => {
    const client = startClient()
    renderScreen(client, <FleetCharts chart="ppd" ids={ids} />, '/machines?chart=ppd')
    load(client)
    expect(screen.queryByRole('region', { name: 'Below usual' })).toBeNull()
    act(() => {
      client.receiveChanges(['units', 0, 'pause_reason', 'Paused'], ['units', 1, 'ppd', 6000])
      // A silent client would count as disconnected.
      for (let seconds = 0; seconds < 80; seconds += 20) {
        client.advance(20_000)
        client.receiveChanges(['units', 1, 'eta', `${seconds + 1}s`])
      }
    })
    expect(screen.getByRole('region', { name: 'Below usual' }).textContent).toMatch(
      /^Below 80% of their usual PPD: 1Attic.+ PPD lately.+6,000 PPD, usually 24,000$/,
    )
  })
})

describe('the next finishes', () => {
  it('are counted by hour and listed, with the way to the unit and to the client, and those at risk', () => {
    renderScreen(startClient(), <FleetCharts chart="finishes" ids={ids} />)
    expect(screen.getByText(/^1 of 2 running work units finish within 24 hours/)).toBeTruthy()
    const hours = within(screen.getByRole('list', { name: 'Finishing work units by hour' })).getAllByRole('button')
    expect(hours).toHaveLength(24)
    expect(hours.filter(hour => / 1 work unit$/.test(hour.getAttribute('aria-label') ?? ''))).toHaveLength(1)
    expect(screen.getByRole('radio', { name: 'At risk (1)' })).toBeTruthy()
  })
})

describe('facts of clients', () => {
  const Facts = () => {
    const [facts] = useFleetFacts(ids)
    return <p>{`${facts?.usualPpd ?? 'unknown'} ${facts?.pointsDay ?? 'unknown'}`}</p>
  }

  it('have the usual PPD and the points of a day once the history is loaded', async () => {
    const client = startClient()
    client.system.history.send({ type: 'history.open' })
    renderScreen(client, <Facts />)
    expect(screen.getByText('unknown unknown')).toBeTruthy()
    load(client)
    act(() => client.advance(1000))
    await flushPromises()
    await act(async () => {
      client.advance(1000)
      await flushPromises()
    })
    expect(await screen.findByText('24000 8000')).toBeTruthy()
  })
})

describe('the small chart of a client', () => {
  it('is unknown without a history, and then a line with its text', () => {
    const client = startClient()
    client.system.history.send({ type: 'history.open' })
    const { container } = renderScreen(client, <PpdTrend client="attic" />)
    expect(container.textContent).toBe('???')
    load(client)
    expect(container.querySelector('path')?.getAttribute('d')).toMatch(/^M/)
    expect(container.textContent).toMatch(/PPD lately, at most [\d,]+ within 7 days$/)
  })
})
