// @vitest-environment jsdom
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import { playerMachine } from '../../machines/screens/player/player.machine.ts'
import type { ProjectorCommand, Timeline } from '../../machines/screens/player/player.events.ts'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { ReplayBar } from './replay-bar.tsx'
import { polyfillJsdom } from '../../../test/ui/test-system.tsx'

afterEach(cleanup)

const timeline: Timeline = {
  times: [10, 20, 30],
  from: 5,
  steps: [1, 2, 3],
  faults: [],
  mark: { at: 20, text: 'no command twice' },
  isExact: true,
}

function startPlayer() {
  const sent: ProjectorCommand[] = []
  const projector = fromCallback<ProjectorCommand, undefined>(({ receive }) => receive(command => sent.push(command)))
  const player = createActor(playerMachine.provide({ actors: { projector } }), { input: timeline }).start()
  return { player, sent }
}

it('stays usable above a dialog that was open before it, says what is marked, and goes there', () => {
  polyfillJsdom()
  const { player, sent } = startPlayer()
  const dialog = (
    <Dialog title="Auto-linking client" onLeave={() => undefined} footer={undefined}>
      <p>The local machine has been linked.</p>
    </Dialog>
  )
  const { rerender } = render(<I18nProvider i18n={i18n}>{dialog}</I18nProvider>)
  rerender(
    <I18nProvider i18n={i18n}>
      {dialog}
      <ReplayBar player={player} onClose={() => undefined} />
    </I18nProvider>,
  )
  expect(screen.getByRole('region', { name: 'Recording' }).textContent).toContain('Marked: no command twice')
  fireEvent.click(screen.getByRole('button', { name: 'Go to the mark' }))
  expect(sent).toEqual([{ type: 'projector.go', position: 2 }])
  player.stop()
})
