import type { AccountRef } from '../account/account/account.machine.ts'
import type { DonorRef } from '../account/donor/donor.machine.ts'
import type { ResetRef } from '../account/reset/reset.machine.ts'
import type { SignInRef } from '../account/sign-in/sign-in.machine.ts'
import type { VerifyRef } from '../account/verify/verify.machine.ts'
import type { FleetRef } from '../connection/fleet/fleet.machine.ts'
import type { RelayRef } from '../connection/relay/relay.machine.ts'
import type { LibraryRef } from '../resource/query-cache/query-cache.machine.ts'
import type { SeriesMachineRef } from '../resource/series/series.machine.ts'
import type { ConnectRef } from '../screens/connect/connect.machine.ts'
import type { DialogsRef } from '../shared/dialogs/dialogs.machine.ts'
import type { LogRef } from '../screens/log/log.machine.ts'
import type { HistoryRef } from '../units/history/history.machine.ts'
import type { ViewerRef } from '../screens/viewer/viewer.machine.ts'
import type { ProjectsRef } from '../screens/projects/projects.machine.ts'
import type { AppRef } from './app/app.machine.ts'
import type { ClockRef } from './clock/clock.machine.ts'
import type { PreferencesRef } from './preferences/preferences.machine.ts'

/** Everything that a screen may ask or tell. */
export type System = {
  readonly app: AppRef
  readonly clock: ClockRef
  readonly preferences: PreferencesRef
  readonly dialogs: DialogsRef
  readonly connect: ConnectRef
  readonly log: LogRef
  readonly signIn: SignInRef
  readonly account: AccountRef
  readonly verify: VerifyRef
  readonly reset: ResetRef
  readonly donor: DonorRef
  readonly library: LibraryRef
  readonly series: SeriesMachineRef
  readonly projects: ProjectsRef
  readonly relay: RelayRef
  readonly fleet: FleetRef
  readonly history: HistoryRef
  readonly viewer: ViewerRef
}
