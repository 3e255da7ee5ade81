// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderServerScreen } from '../../../../test/ui/server-screen.tsx'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { ServerAnswer } from '../../../machines/server/session/session.events.ts'
import { SchedulesScreen } from './schedules-screen.tsx'

afterEach(cleanup)

function machine(number: number, name: string) {
  return { number, name, address: name, tags: [], groups: [], mayAct: true }
}

const nights: Schedule = {
  id: 'nights',
  name: 'Nights',
  isEnabled: true,
  timeZone: 'UTC',
  targets: [{ kind: 'machine', name: 'attic' }],
  rules: [{ kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' }],
  otherwise: 'pause',
  finishMinutes: 0,
}

const answer: ServerAnswer = {
  kind: 'known',
  session: {
    name: 'ana',
    role: 'operator',
    scopes: null,
    expires: null,
    mayControl: true,
    canSignOut: true,
    shared: '1',
    server: { name: 'home', version: '1' },
    machines: [],
  },
  schedules: {
    revision: '1',
    schedules: [nights],
    inputs: [],
    lists: [],
    conditions: {},
    prices: [],
    machines: [machine(1, 'attic'), machine(2, 'cellar')],
    subjects: [],
  },
}

it('draws a week only of machines that have a schedule, below the schedules; one for all machines offers no others', async () => {
  renderServerScreen(
    answer,
    <>
      <main id="main">
        <SchedulesScreen />
      </main>
    </>,
  )
  const week = within(await screen.findByRole('region', { name: 'Next seven days' }))
  expect(screen.getAllByRole('heading', { level: 2 }).map(heading => heading.textContent)).toEqual([
    'Schedules',
    'Next seven days',
  ])
  expect(
    week.getAllByRole('img', { name: /Sunday/ }).map(day => day.getAttribute('aria-label')?.split(',')[0]),
  ).toEqual(['attic'])
  const others = within(week.getByRole('group', { name: 'No schedule decides.' }))
  expect(others.getAllByRole('button').map(button => button.textContent)).toEqual(['cellar'])

  const add = screen.getByRole('button', { name: 'New schedule' })
  act(() => add.focus())
  fireEvent.click(add)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  const targets = within(screen.getByRole('group', { name: 'Machines' }))
  expect(targets.getAllByRole('checkbox')).toHaveLength(3)
  fireEvent.click(targets.getByRole('checkbox', { name: 'All machines' }))
  expect(targets.getAllByRole('checkbox')).toHaveLength(1)
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  act(() => cancel.focus())
  fireEvent.click(cancel)
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
})
