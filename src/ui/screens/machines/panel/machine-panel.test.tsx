// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClientData } from '../../../../protocol/client-data.ts'
import { show, startStage, turn, type Stage } from '../../../testing/stage.tsx'
import { UnitTableProvider, useUnitTableModel } from '../units/unit-table.ts'
import { MachinePanel } from './machine-panel.tsx'

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

const Panel = ({ stage }: { stage: Stage }) => {
  const { table } = useUnitTableModel()
  return (
    <UnitTableProvider value={table}>
      <MachinePanel client={stage.client()} />
    </UnitTableProvider>
  )
}

const open = (path?: string): Stage => {
  const stage = startStage()
  stage.say(data)
  show(stage, <Panel stage={stage} />, path)
  return stage
}

const texts = (): readonly (readonly string[])[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(row =>
      within(row)
        .getAllByRole('cell')
        .slice(0, -1)
        .map(cell => cell.textContent),
    )

const press = (name: string): void => {
  const button = screen.getByRole('button', { name })
  fireEvent.keyDown(button, { key: 'Enter' })
  fireEvent.keyUp(button, { key: 'Enter' })
}

const stateOf = (group: string): string =>
  within(screen.getByRole('group', { name: group })).getByRole('status').textContent

describe('the panel of a machine', () => {
  it('shows what each of its units does', () => {
    open()
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Attic')
    expect(texts()).toEqual([
      ['18420', 'CPU', 'Running', '25.0%', '1,000'],
      ['18421', 'CPU', 'Running', '50.0%', '9,000'],
    ])
  })

  it('sorts them as the address says', () => {
    open('/machines?sort=-ppd')
    expect(texts().map(([project]) => project)).toEqual(['18421', '18420'])
    expect(screen.getByRole('columnheader', { name: 'PPD' }).getAttribute('aria-sort')).toBe('descending')
  })

  it('touches only the cell whose value has changed', async () => {
    const stage = open()
    const touched: string[] = []
    const observer = new MutationObserver(mutations =>
      touched.push(
        ...mutations.map(
          ({ target }) => target.parentElement?.closest('[role=cell]')?.getAttribute('data-column') ?? 'elsewhere',
        ),
      ),
    )
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
    act(() => stage.change(['units', 0, 'cpus', 3]))
    act(() => stage.change(['units', 0, 'wu_progress', 0.3]))
    await turn()
    observer.disconnect()
    expect(new Set(touched)).toEqual(new Set(['progress']))
  })

  it('lets a row that is out of sight wait for the clock, and catches up when it is seen again', () => {
    const observers: ((entries: readonly { target: Element; isIntersecting: boolean }[]) => void)[] = []
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = () => undefined
        unobserve = () => undefined
        constructor(take: (typeof observers)[number]) {
          observers.push(take)
        }
      },
    )
    const stage = open()
    vi.unstubAllGlobals()
    const [, seen, unseen] = screen.getAllByRole('row')
    if (seen === undefined || unseen === undefined) throw new Error('Two units are shown.')
    const scroll = (isIntersecting: boolean): void =>
      act(() => observers.forEach(take => take([{ target: unseen, isIntersecting }])))
    const progress = (): readonly (string | undefined)[] => texts().map(([, , , share]) => share)
    scroll(false)
    act(() => stage.change(['units', 0, 'wu_progress', 0.3], ['units', 1, 'wu_progress', 0.6]))
    expect(progress()).toEqual(['30.0%', '50.0%'])
    act(() => stage.pass(250))
    expect(progress()).toEqual(['30.0%', '60.0%'])
    act(() => stage.change(['units', 1, 'wu_progress', 0.7]))
    expect(progress()).toEqual(['30.0%', '60.0%'])
    scroll(true)
    expect(progress()).toEqual(['30.0%', '70.0%'])
    act(() => stage.change(['units', 1, 'wu_progress', 0.8]))
    expect(progress()).toEqual(['30.0%', '80.0%'])
  })

  it('shows at once what was asked, and makes it a fact when the machine says so', async () => {
    const stage = open()
    const controls = 'Fold, pause or finish Attic'
    expect(stateOf(controls)).toBe('Folding')
    press('Pause Attic')
    expect(stateOf(controls)).toBe('pausing…')
    await turn()
    expect(stage.asked).toEqual([{ cmd: 'state', state: 'pause' }])
    act(() => stage.change(['groups', '', 'config', 'paused', true]))
    expect(stateOf(controls)).toBe('Paused')
  })

  it('says that a command was ignored, until that has been read', async () => {
    const stage = open()
    press('Finish Attic')
    await turn()
    act(() => stage.pass(10_000))
    expect(screen.getByText('‘Finish’ was ignored.')).toBeDefined()
    press('Dismiss')
    expect(screen.queryByText('‘Finish’ was ignored.')).toBeNull()
  })

  it('says why nothing can be asked of it once it is out of reach, and since when', () => {
    const stage = open()
    act(() => stage.lose())
    act(() => stage.pass(42_000))
    expect(screen.getByRole('button', { name: 'Pause Attic' }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText(/^as of/).textContent).toBe('as of 42 s ago')
    expect(texts().map(row => row[4])).toEqual(['1,000', '9,000'])
  })

  it('says in words why a unit waits', () => {
    const stage = open()
    act(() =>
      stage.change(
        ['units', 0, 'state', 'DOWNLOAD'],
        ['units', 0, 'wait', '2026-11-20T12:02:00Z'],
        ['units', 0, 'delay', 240],
      ),
    )
    expect(texts()[0]?.slice(2)).toEqual(['Download Wait', '50.0%', '1,000', ''])
    expect(screen.getByText(/Download failed/).textContent).toBe('Download failed. Next try in 2m 0s.Log')
  })
})
