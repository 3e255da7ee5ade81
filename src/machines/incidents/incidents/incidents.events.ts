import type { Condition, Incident, IncidentKind } from '../../../folding/incidents/incident.ts'
import type { IncidentEvent } from '../incident/incident.events.ts'
import type { StoredIncident } from '../../../folding/incidents/incident-schema.ts'

/** Minutes of the day in local time; equal ones are no quiet hours. */
export type QuietHours = { readonly from: number; readonly until: number }

/** What a person chose: rules, and what notifies. Kept by this browser. */
export type AttentionPreferences = {
  /** By `kind.name`; missing ones have their default. */
  readonly thresholds: Readonly<Record<string, number>>
  /** Kinds that are not looked for. */
  readonly disabled: readonly IncidentKind[]
  readonly notifies: boolean
  /** Kinds that notify. */
  readonly notified: readonly IncidentKind[]
  readonly quietHours: QuietHours | undefined
  readonly hasSound: boolean
}

/** `unsupported`: this browser has no notifications, or not on this page. */
export type NotificationPermissionState = 'unsupported' | 'default' | 'granted' | 'denied'

export type IncidentsCommand =
  /** Load what is stored, and begin to watch the clients. */
  | { readonly type: 'incidents.open' }
  | { readonly type: 'incidents.acknowledge'; readonly keys: readonly string[] }
  | { readonly type: 'incidents.snooze'; readonly keys: readonly string[]; readonly until: number }
  | { readonly type: 'incidents.reopen'; readonly keys: readonly string[] }
  /** Delete the incidents that are over. */
  | { readonly type: 'incidents.clearHistory' }
  | { readonly type: 'incidents.change'; readonly change: Partial<AttentionPreferences> }
  /** Ask the browser's user for the permission to notify. Only after a press of a button. */
  | { readonly type: 'incidents.askPermission' }
  /** Show a notification now, also while the page is in front. */
  | { readonly type: 'incidents.tryNotification' }

export type IncidentsFact =
  | { readonly type: 'incidents.accountSignedIn'; readonly account: string }
  | { readonly type: 'incidents.accountSignedOut' }

/** Changes of one client's conditions since its last report. */
export type Observation = {
  readonly machine: string
  readonly name: string
  /** Id of the account it was reached through. */
  readonly owner: string | undefined
  /** New conditions, and those whose values changed. */
  readonly present: readonly Condition[]
  /** Keys (`conditionKey`) of conditions that are over. */
  readonly gone: readonly string[]
  /** All waits that are normal for now. */
  readonly waits: readonly Condition[]
}

export type WatchInput = {
  readonly preferences: AttentionPreferences
  /** Clients that have incidents. */
  readonly machines: readonly string[]
}

/** Sent to the watch. */
export type WatchCommand =
  | { readonly type: 'watch.configure'; readonly preferences: AttentionPreferences }
  /** Forget what was remembered of clients of all accounts but this one; of all accounts when it is undefined. */
  | { readonly type: 'watch.forgetOthers'; readonly account: string | undefined }

export type WatchFact =
  | { readonly type: 'watch.observed'; readonly at: number; readonly observations: readonly Observation[] }
  /** Clients that are no longer listed. */
  | { readonly type: 'watch.machinesLeft'; readonly at: number; readonly machines: readonly string[] }
  /** A minute has passed. */
  | { readonly type: 'watch.ticked'; readonly at: number }

/** What a person did with incidents. */
export type Handling = Extract<
  IncidentEvent,
  { readonly type: 'incident.acknowledge' | 'incident.snooze' | 'incident.reopen' }
>

/** Sent to the store of incidents. */
export type IncidentStoreCommand =
  | { readonly type: 'incidentStore.load' }
  /** `removed`: ids (`storageId`) of incidents that are stored under another id now, or no longer. */
  | {
      readonly type: 'incidentStore.save'
      readonly put: readonly StoredIncident[]
      readonly removed: readonly string[]
    }
  /** Here, and in the other tabs. */
  | { readonly type: 'incidentStore.savePreferences'; readonly preferences: AttentionPreferences }
  | { readonly type: 'incidentStore.clearHistory' }
  /** Tell the other tabs of this browser. */
  | { readonly type: 'incidentStore.share'; readonly handling: Handling; readonly keys: readonly string[] }
  /** Delete what belongs to all accounts but this one; to all accounts when it is undefined. */
  | { readonly type: 'incidentStore.deleteOthers'; readonly account: string | undefined }

export type IncidentStoreFact =
  | {
      readonly type: 'incidentStore.loaded'
      readonly incidents: readonly StoredIncident[]
      readonly preferences: AttentionPreferences | undefined
    }
  | { readonly type: 'incidentStore.failed'; readonly trouble: 'unavailable' | 'full' }
  | { readonly type: 'incidentStore.handledElsewhere'; readonly handling: Handling; readonly keys: readonly string[] }
  /** In another tab. */
  | { readonly type: 'incidentStore.preferencesChanged'; readonly preferences: AttentionPreferences }

/** Sent to the notifier. */
export type NotifierCommand =
  /** The number in the title and icon of the tab. */
  | { readonly type: 'notifier.count'; readonly count: number }
  /** Notify of these, unless the page is in front or it is quiet. */
  | {
      readonly type: 'notifier.notify'
      readonly incidents: readonly Incident[]
      readonly quietHours: QuietHours | undefined
      readonly hasSound: boolean
    }
  | { readonly type: 'notifier.try'; readonly hasSound: boolean }

export type NotifierFact =
  | { readonly type: 'notifier.permission'; readonly permission: NotificationPermissionState }
  /** Shown, or not needed because the page is in front or another tab shows it. */
  | { readonly type: 'notifier.done' }
  /** Quiet hours, for so many milliseconds. */
  | { readonly type: 'notifier.quiet'; readonly remaining: number }
  | { readonly type: 'notifier.failed'; readonly reason: string }

export type IncidentsEvent = IncidentsCommand | IncidentsFact | WatchFact | IncidentStoreFact | NotifierFact
