import type { AppInput } from '../../src/machines/app/app.actors.ts'
import { defaultPreferences } from '../../src/machines/app/preferences/preferences.machine.ts'

export const appInput: AppInput = {
  at: 0,
  preferences: defaultPreferences,
  fleet: { defaultAddress: '', addresses: [] },
  nodeScheme: 'wss',
  isSecure: true,
  awardsUrl: '',
  providers: [],
}
