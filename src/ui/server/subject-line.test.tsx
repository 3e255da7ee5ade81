// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderServerScreen } from '../../../test/ui/server-screen.tsx'
import type { ServerAnswer } from '../../machines/server/session/session.events.ts'
import { SubjectActions } from './subject-line.tsx'

afterEach(cleanup)

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
    machines: [
      { number: 1, commands: ['state'] },
      { number: 2, commands: ['state'] },
    ],
  },
  schedules: {
    revision: '1',
    schedules: [],
    inputs: [],
    lists: [],
    conditions: {},
    prices: [],
    machines: [],
    subjects: [],
  },
}

it('a press for some time says at once that it was asked, at its machine only', async () => {
  const session = renderServerScreen(
    answer,
    <>
      <SubjectActions client={1} name="Attic" subject={undefined} />
      <SubjectActions client={2} name="Cellar" subject={undefined} />
    </>,
  )
  const [pause] = await screen.findAllByRole('button', { name: 'Pause for 2 hours' })
  await expect.poll(() => session.getSnapshot().matches({ known: 'idle' })).toBe(true)
  fireEvent.click(pause ?? document.body)
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'Being sent to the machine…',
    '',
  ])
})
