import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { createActor } from 'xstate'
import { appMachine } from '../machines/app/app.machine.ts'
import { defaultPreferences } from '../machines/app/preferences/preferences.machine.ts'
import { systemOf } from '../machines/app/system.ts'
import { SystemContext } from '../ui/hooks/system-context.ts'
import { Header } from '../ui/shell/header.tsx'

function nothing(): void {
  // There is no app yet.
}

/**
 * The header and the main menu as the app first renders them, when it knows only whether a session is stored. The build renders
 * them in each language for src/app/start.ts, which shows them until the code of the app is there.
 */
export function shellPicture(hasSession: boolean): string {
  const app = createActor(appMachine, {
    systemId: 'app',
    input: {
      at: 0,
      preferences: defaultPreferences,
      fleet: { defaultAddress: '', addresses: [] },
      nodeScheme: 'wss',
      isSecure: true,
      awardsUrl: '',
      providers: [],
      hasSession,
    },
  })
  const system = systemOf(app)
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <SystemContext value={system}>
        <MemoryRouter initialEntries={['/none']}>
          <Header onFind={nothing} onShowShortcuts={nothing} onInspect={nothing} onShowWall={nothing} />
        </MemoryRouter>
      </SystemContext>
    </I18nProvider>,
  )
}
