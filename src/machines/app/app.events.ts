import type { ErrorActorEvent } from 'xstate'
import type { AccountNotification } from '../account/account/account.events.ts'
import type { ResetNotification } from '../account/reset/reset.events.ts'
import type { SignInNotification } from '../account/sign-in/sign-in.events.ts'
import type { BroadcastNotification } from '../connection/broadcast/broadcast.events.ts'
import type { ConnectionCheckNotification } from '../connection/check/connection-check.events.ts'
import type { FleetNotification } from '../connection/fleet/fleet.events.ts'
import type { PowerNotification } from '../fleet/power/power.events.ts'
import type { ProcessorsNotification } from '../fleet/processors/processors.events.ts'
import type { TagsNotification } from '../fleet/tags/tags.events.ts'
import type { ViewsNotification } from '../fleet/views/views.events.ts'
import type { SharedNotification } from '../server/shared/shared.events.ts'
import type { ResourceNotification } from '../resource/resource/resource.events.ts'
import type { RelayNotification } from '../connection/relay/relay.events.ts'
import type { ConnectNotification } from '../screens/connect/connect.events.ts'
import type { DirectClientsNotification } from '../screens/direct-clients/direct-clients.events.ts'
import type { HistoryNotification } from '../units/history/history.events.ts'
import type { PreferencesNotification } from './preferences/preferences.events.ts'
import type { MemoryFact } from './memory.events.ts'
import type { StoredFact, TabFact } from './tabs.events.ts'
import type { LateCommand } from './app.actors.ts'
import type { PartName } from './app.parts.ts'
import type { CodeFact } from './code.events.ts'
import type { WireCommand, WireFact } from './wire.events.ts'

/** What the browser reports about the page and the network. */
export type PageFact =
  | { readonly type: 'page.hidden'; readonly at: number }
  | { readonly type: 'page.shown'; readonly at: number }
  /** The computer slept: a timer came much later than it should have. */
  | { readonly type: 'page.woke'; readonly at: number }
  | { readonly type: 'network.regained'; readonly at: number }
  | { readonly type: 'network.lost'; readonly at: number }

export type AppEvent =
  /** A screen needs the actors of this part. `first`: what one of them is sent as soon as it runs. */
  | { readonly type: 'app.want'; readonly part: PartName; readonly first?: LateCommand }
  /** What waits for the code of this part is dropped. */
  | { readonly type: 'app.giveUp'; readonly part: PartName }
  | CodeFact
  | PageFact
  | WireFact
  | WireCommand
  | TabFact
  | StoredFact
  | MemoryFact
  | AccountNotification
  | SignInNotification
  | ResetNotification
  | RelayNotification
  | BroadcastNotification
  | FleetNotification
  | PowerNotification
  | ProcessorsNotification
  | TagsNotification
  | ViewsNotification
  | SharedNotification
  | HistoryNotification
  | ConnectNotification
  | DirectClientsNotification
  | ConnectionCheckNotification
  | ResourceNotification
  | PreferencesNotification
  /** A part of the page threw an error. */
  | ErrorActorEvent
