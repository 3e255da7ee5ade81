// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClientData } from '../../../../protocol/client/client-data.ts'
import { selectRun } from '../../../../machines/fleet/bulk/bulk.selectors.ts'
import type { RunEntry } from '../../../../machines/fleet/bulk/bulk.context.ts'
import type { BulkSnapshot } from '../../../../machines/fleet/bulk/bulk.machine.ts'
import { emptyShardedMap, shardedEntries } from '../../../../folding/shared/sharded-map.ts'
import type { Command } from '../../../../protocol/client/commands.ts'
import { selectPreferences } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { selectDialog } from '../../../../machines/shared/dialogs/dialogs.selectors.ts'
import {
  flushPromises,
  renderScreen,
  START,
  startTestSystem,
  type TestSystem,
} from '../../../../../test/ui/test-system.tsx'
import { UnitTableProvider, useUnitTableModel } from '../units/unit-table.ts'
import { ClientPanel } from './client-panel.tsx'

afterEach(cleanup)

const data: ClientData = {
  info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
  config: {},
  groups: { '': { config: { cpus: 8 } } },
  units: [
    {
      id: 'u1',
      number: 1,
      group: '',
      state: 'RUN',
      cpus: 4,
      ppd: 1000,
      wu_progress: 0.25,
      assignment: { project: 18420 },
    },
    {
      id: 'u2',
      number: 2,
      group: '',
      state: 'RUN',
      cpus: 4,
      ppd: 9000,
      wu_progress: 0.5,
      assignment: { project: 18421 },
    },
  ],
}

function Panel({ testSystem }: { testSystem: TestSystem }) {
  const { table } = useUnitTableModel()
  return (
    <UnitTableProvider value={table}>
      <ClientPanel client={testSystem.client()} />
    </UnitTableProvider>
  )
}

function open(path?: string): TestSystem {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot(data)
  renderScreen(testSystem, <Panel testSystem={testSystem} />, path)
  return testSystem
}

function texts(): readonly (readonly string[])[] {
  return screen
    .getAllByRole('row')
    .slice(1)
    .map(row =>
      within(row)
        .getAllByRole('cell')
        .slice(0, -1)
        .map(cell => cell.textContent),
    )
}

function press(name: string): void {
  const button = screen.getByRole('button', { name })
  fireEvent.click(button)
}

function stateOf(group: string): string {
  return within(screen.getByRole('group', { name: group })).getByRole('status').textContent
}

/** What the client is told by the running action. */
function commandsOf(bulk: BulkSnapshot): readonly Command[] {
  const [, entry] = [...shardedEntries(selectRun(bulk)?.entries ?? emptyShardedMap<RunEntry>())][0] ?? []
  return entry?.work.kind === 'commands' ? entry.work.commands : []
}

describe('the panel of a client', () => {
  it('shows the values of each of its units', () => {
    open()
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Attic')
    expect(texts()).toEqual([
      ['18420', 'CPU', 'Running', '25.0%', '1,000'],
      ['18421', 'CPU', 'Running', '50.0%', '9,000'],
    ])
  })

  it('sorts units by the column in the address', () => {
    open('/machines?sort=-ppd')
    expect(texts().map(([project]) => project)).toEqual(['18421', '18420'])
    expect(screen.getByRole('columnheader', { name: 'PPD' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('shows columns that it does not know where they were put, with what units report', () => {
    const testSystem = open()
    const columns = ['Project', 'Warp Factor', '__proto__']
    act(() => {
      testSystem.system.preferences.send({ type: 'preferences.preview', appearance: { columns } })
      testSystem.receiveChanges(['units', 0, 'warp_factor', 9.5])
    })
    expect(screen.getAllByRole('columnheader').map(heading => heading.textContent)).toEqual([...columns, 'Actions'])
    expect(texts()).toEqual([
      ['18420', '9.5', '???'],
      ['18421', '???', '???'],
    ])
  })

  it('offers a download in place of the controls of a client that is too old', () => {
    const testSystem = open()
    act(() => testSystem.receiveSnapshot({ ...data, info: { ...data.info, version: '8.1.18' } }))
    expect(screen.queryByRole('group', { name: 'Fold, pause or finish Attic' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/\/start-folding\/$/)
  })

  it('hides what can be done with a unit of a client that is too old [2.18, 4.9, 6.5]', async () => {
    const testSystem = open()
    act(() => testSystem.receiveSnapshot({ ...data, info: { ...data.info, version: '8.1.18' } }))
    press('Actions for unit 1, project 18420')
    const entries = await screen.findAllByRole('menuitem')
    expect(entries.map(({ textContent }) => textContent)).toEqual(['Unit details'])
  })

  it('shows which groups that were paused by hand Fold would resume, and resumes them when that is wanted [2.17]', async () => {
    const testSystem = open()
    const { bulk } = testSystem.system
    const night = { config: { cpus: 2, paused: true } }
    act(() => testSystem.receiveSnapshot({ ...data, groups: { ...data.groups, night } }))
    press('Fold Attic')
    await flushPromises()
    expect(bulk.getSnapshot().context.plan?.entries[0]?.effect).toMatchObject({ resumed: ['night'] })
    expect(testSystem.commands).toMatchObject([])
    act(() => bulk.send({ type: 'bulk.confirm' }))
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'state', state: 'fold' }])
  })

  it('gives groups that were in different states back what each had [2.17]', async () => {
    const testSystem = open()
    const { bulk } = testSystem.system
    const night = { config: { cpus: 2, finish: true } }
    act(() => testSystem.receiveSnapshot({ ...data, groups: { ...data.groups, night } }))
    press('Pause Attic')
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'state', state: 'pause' }])
    const paused = Object.fromEntries(['', 'night'].map(name => [name, { config: { cpus: 2, paused: true } }]))
    act(() => testSystem.receiveSnapshot({ ...data, groups: paused }))
    await flushPromises()
    act(() => bulk.send({ type: 'bulk.undo' }))
    expect(commandsOf(bulk.getSnapshot())).toEqual([
      { cmd: 'config', config: { groups: { '': { paused: false }, night: { paused: false, finish: true } } } },
    ])
  })

  it.each<{ readonly paused?: true; readonly finish?: true }>([{ paused: true }, { finish: true }])(
    'gives a machine back what it was before Fold: %j [2.17]',
    async before => {
      const testSystem = open()
      const { bulk } = testSystem.system
      const groupsWith = (config: object) =>
        act(() => testSystem.receiveSnapshot({ ...data, groups: { '': { config: { cpus: 8, ...config } } } }))
      groupsWith(before)
      press('Fold Attic')
      await flushPromises()
      expect(testSystem.commands).toEqual([{ cmd: 'state', state: 'fold' }])
      groupsWith({ paused: false, finish: false })
      await flushPromises()
      act(() => bulk.send({ type: 'bulk.undo' }))
      const state = before.paused === true ? 'pause' : 'finish'
      expect(commandsOf(bulk.getSnapshot())).toEqual([{ cmd: 'state', state }])
    },
  )

  it('sends a command for a group with the name of the group', async () => {
    const testSystem = open()
    act(() => testSystem.receiveSnapshot({ ...data, groups: { ...data.groups, ' my-gpu': { config: {} } } }))
    press('Pause “ my-gpu” on Attic')
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'state', state: 'pause', group: ' my-gpu' }])
  })

  it('offers to dump a unit only while it is paused, and asks first [10.4]', async () => {
    const testSystem = open()
    const openMenu = async () => {
      press('Actions for unit 1, project 18420')
      return screen.findByRole('menuitem', { name: /^Dump/ })
    }
    expect((await openMenu()).textContent).toContain('Only a paused work unit can be dumped. Pause it first.')
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    act(() => testSystem.receiveChanges(['units', 0, 'pause_reason', 'Paused']))
    fireEvent.click(await openMenu())
    const question = selectDialog(testSystem.system.dialogs.getSnapshot())
    expect(question).toMatchObject({ kind: 'confirm', title: 'Dump WU?' })
    expect(testSystem.commands).toMatchObject([])
    testSystem.system.dialogs.send({ type: 'dialogs.answer', id: question?.id ?? '', button: 'dump' })
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'dump', unit: 'u1' }])
  })

  it('changes only the cell whose value has changed [12.16]', async () => {
    const testSystem = open()
    const changed: string[] = []
    const observer = new MutationObserver(mutations =>
      changed.push(
        ...mutations.map(
          ({ target }) => target.parentElement?.closest('[role=cell]')?.getAttribute('data-column') ?? 'elsewhere',
        ),
      ),
    )
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    act(() => testSystem.receiveChanges(['units', 0, 'cpus', 3]))
    act(() => testSystem.receiveChanges(['units', 0, 'wu_progress', 0.3]))
    await flushPromises()
    observer.disconnect()
    expect(new Set(changed)).toEqual(new Set(['progress']))
  })

  it('shows an estimate once, also when it gets and loses a warning', () => {
    const testSystem = open()
    act(() => testSystem.system.preferences.send({ type: 'preferences.preview', appearance: { columns: ['ETA'] } }))
    const assignment = { project: 18420, time: new Date(START).toISOString(), timeout: 86_400, deadline: 172_800 }
    const showEstimate = (eta: string): string => {
      act(() => testSystem.receiveChanges(['units', 0, 'assignment', assignment], ['units', 0, 'eta', eta]))
      return screen.getAllByRole('row')[1]?.querySelector('[data-column=eta]')?.textContent ?? ''
    }
    expect(showEstimate('1h 2m')).toBe('1h 2m')
    expect(showEstimate('9d 0h')).toBe('9d 0h')
    expect(showEstimate('1h 3m')).toBe('1h 3m')
  })

  it('shows a requested state at once, and as reported when the client confirms it [11.2, 13.7]', async () => {
    const testSystem = open()
    const controls = 'Fold, pause or finish Attic'
    expect(stateOf(controls)).toBe('Folding')
    press('Pause Attic')
    expect(stateOf(controls)).toBe('pausing…')
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'state', state: 'pause' }])
    act(() => testSystem.receiveChanges(['groups', '', 'config', 'paused', true]))
    expect(stateOf(controls)).toBe('Paused')
  })

  it('shows that a command was ignored until it is dismissed', async () => {
    const testSystem = open()
    press('Finish Attic')
    await flushPromises()
    act(() => testSystem.advance(10_000))
    expect(await screen.findByText('‘Finish’ was ignored.')).toBeDefined()
    press('Dismiss')
    expect(screen.queryByText('‘Finish’ was ignored.')).toBeNull()
  })

  it('does not call a command ignored whose connection was lost: it may have been obeyed', async () => {
    const testSystem = open()
    press('Finish Attic')
    await flushPromises()
    act(() => testSystem.disconnect())
    act(() => testSystem.advance(10_000))
    expect(await screen.findByText('‘Finish’ was not confirmed.')).toBeDefined()
  })

  it('disables its controls when disconnected, and shows the age of its data [13.3, 13.8]', () => {
    const testSystem = open()
    act(() => testSystem.disconnect())
    act(() => testSystem.advance(42_000))
    expect(screen.getByRole('button', { name: 'Pause Attic' }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/^as of/).textContent).toBe('as of 42 s ago')
    expect(texts().map(row => row[4])).toEqual(['1,000', '9,000'])
  })

  it('explains a client that is left over, and offers to unlink it', async () => {
    const testSystem = open()
    act(() => testSystem.disconnect())
    const menu = () => screen.getByRole('button', { name: /^Actions for Attic/ })
    fireEvent.click(menu())
    expect(await screen.findByRole('menuitem', { name: 'Hardware' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: /^Unlink/ })).toBeNull()
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    const comparison = { mark: 'ID abc', isLeftOver: true }
    act(() => testSystem.client().send({ type: 'client.compared', comparison }))
    expect(screen.getByText('Left over')).toBeTruthy()
    expect(screen.queryByText('Disconnected')).toBeNull()
    expect(
      await screen.findByText(/^Last contact: .* Since then, another machine of its name is connected/),
    ).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
    const { putAway } = selectPreferences(testSystem.system.preferences.getSnapshot())
    expect(Object.keys(putAway)).toEqual([testSystem.client().getSnapshot().context.record.data?.info.id])
    fireEvent.click(menu())
    fireEvent.click(await screen.findByRole('menuitem', { name: /^Unlink/ }))
    await vi.waitFor(() =>
      expect(testSystem.system.bulk.getSnapshot().context.plan?.entries).toMatchObject([{ name: 'Attic (ID abc)' }]),
    )
  })

  it('explains why a unit waits [11.3]', () => {
    const testSystem = open()
    act(() =>
      testSystem.receiveChanges(
        ['units', 0, 'state', 'DOWNLOAD'],
        ['units', 0, 'wait', '2026-11-20T12:02:00Z'],
        ['units', 0, 'delay', 240],
      ),
    )
    expect(texts()[0]?.slice(2)).toEqual(['Download Wait', '50.0%', '1,000', ''])
    expect(screen.getByText(/Retrying in/).textContent).toBe('Download failed. Retrying in 2m 0s.Log')
  })

  it('leads to the line of the log about a group and about a unit, once their incidents tell its time [11.3]', () => {
    const testSystem = open()
    act(() => testSystem.receiveChanges(['groups', '', 'failed_wus', 2], ['units', 0, 'wait', '2026-11-20T12:02:00Z']))
    const links = (): readonly (string | null | undefined)[] =>
      ['See why in the log', 'Log'].map(name =>
        new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'http://page').searchParams.get('at'),
      )
    expect(links()).toEqual([null, null])
    const { incidents } = testSystem.system
    const condition = { gravity: 'warning', since: Date.parse('2026-11-20T11:50:00Z') } as const
    act(() => {
      incidents.send({ type: 'incidents.open' })
      incidents.send({ type: 'incidentStore.loaded', incidents: [], preferences: undefined })
      const present = [{ ...condition, kind: 'failing', subject: '', evidence: { group: '' } }] as const
      const waits = [{ ...condition, kind: 'waiting', subject: 'u1', evidence: { unit: 1, answerAt: START } }] as const
      const seen = { machine: 'abc', name: 'Attic', owner: undefined, present, gone: [], waits }
      incidents.send({ type: 'watch.observed', at: START, observations: [seen] })
    })
    expect(links()).toEqual(['2026-11-20T11:50:00Z', '2026-11-20T12:00:00Z'])
  })
})
