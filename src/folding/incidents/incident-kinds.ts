/*
 * The table of incidents: what is looked for, how grave it is, its texts, what to do about it, and the thresholds that a
 * person can change, each with its reason. Adding a kind is adding its name to incident-names.ts and an entry here.
 */
import { plural, t } from '@lingui/core/macro'
import { FAILURE_QUERY, linesOfUnit, literalPattern, logQueryOfUnit } from '../log/log-line.ts'
import { driverHelp } from '../client/gpu-driver.ts'
import { NO_SERVER } from '../unit/unit-meaning.ts'
import { FULL_HELP, fullText, STARVED_HELP, starvedText } from '../client/group-holdup.ts'
import { formatInterval } from '../text/times.ts'
import { plainAnswer } from '../unit/known-answers.ts'
import {
  groupOf,
  unitOf,
  gpuOf,
  lateText,
  waitText,
  nonsenseText,
  ineffectiveText,
  clockText,
  driverText,
  excessText,
  sharedText,
  stalledText,
  stoppedText,
  unsentResultText,
} from './incident-causes.ts'
import {
  INCIDENT_KINDS,
  type Condition,
  type Evidence,
  type Gravity,
  type Incident,
  type IncidentKind,
} from './incident.ts'
import { failingAdvice, failingText, FOLD_AGAIN } from './failures.ts'
import * as rules from './rules.ts'
import type { Rule } from './rules.ts'

/** What the button of an incident does. `fold`: the group resumes, which resets its counts (docs/protocol.md §4). */
export type IncidentAction = 'fold' | 'settings' | 'log' | 'reconnect' | 'download' | 'details'

export type Threshold = {
  readonly label: string
  readonly unit: string
  readonly default: number
  readonly least: number
  readonly most: number
  /** Why this value, and how it is known. */
  readonly reason: string
}

export type KindEntry = {
  readonly gravity: Gravity
  /** A noun phrase for one client, in the language that is active when it is read. */
  readonly title: string
  /** 'n clients out of reach', for a group of incidents. `count`: clients, or what `title` counts. */
  readonly many: (count: number) => string
  readonly cause: (condition: Condition, now: number) => string
  /** What to do; for some kinds it depends on what was found. */
  readonly advice: string | ((evidence: Evidence) => string)
  readonly action: IncidentAction
  /** A search for the lines of the log that are about it, '' for any line; undefined when it has no moment in the log. */
  readonly logLines: (evidence: Evidence) => string | undefined
  /** `minutes`: how long it must last. */
  readonly thresholds: Readonly<Record<string, Threshold>>
  readonly rule: Rule
}

/** What a person changed: thresholds by `kind.name`, and kinds that are not looked for. */
export type IncidentSettings = {
  readonly thresholds: Readonly<Record<string, number>>
  readonly disabled: readonly IncidentKind[]
}

function minutes(value: number, reason: string, label = t`Must last`): Threshold {
  return {
    label,
    unit: t`minutes`,
    default: value,
    least: 0,
    most: 10_080,
    reason,
  }
}

function stoppedAdvice({ reason }: Evidence): string {
  if (reason === 'dumped') return t`Press Fold: that resets the count. Nothing is wrong with the machine.`
  return reason === 'expired'
    ? FOLD_AGAIN
    : t`Press Fold if you dumped them yourself: that resets the count. Otherwise find the cause in the log and fix it first, such as a hot or overclocked GPU, or its driver.`
}

function ofUnit({ unit }: Evidence): string {
  return unit === undefined ? '' : linesOfUnit(unit)
}
function failures(): string {
  return FAILURE_QUERY
}
function anyLine(): string {
  return ''
}
function noLine(): undefined {
  return undefined
}

const TABLE: Readonly<Record<IncidentKind, KindEntry>> = {
  stopped: {
    gravity: 'grave',
    get title() {
      return t`Stopped after too many failures`
    },
    many: count =>
      plural(count, {
        one: '# group stopped after too many failures',
        other: '# groups stopped after too many failures',
      }),
    cause: stoppedText,
    advice: stoppedAdvice,
    action: 'fold',
    logLines: failures,
    thresholds: {
      minutes: minutes(0, t`The client stops a group by itself after 5 lost units, and it stays stopped.`),
    },
    rule: rules.stoppedGroups,
  },
  failing: {
    gravity: 'warning',
    get title() {
      return t`Work units fail in a row`
    },
    many: count => plural(count, { one: '# group with failing work units', other: '# groups with failing work units' }),
    cause: failingText,
    advice: failingAdvice,
    action: 'log',
    logLines: failures,
    thresholds: {
      minutes: minutes(0, t`The count is the client’s own; it is exact.`),
      count: {
        label: t`Failed units in a row`,
        unit: t`work units`,
        default: 2,
        least: 1,
        most: 20,
        reason: t`A single unit may be bad by itself. Each failure doubles the wait before the next unit.`,
      },
    },
    rule: rules.failingGroups,
  },
  'gpu-driver': {
    gravity: 'grave',
    get title() {
      return t`GPU lost its driver`
    },
    many: count => plural(count, { one: '# GPU lost its driver', other: '# GPUs lost their drivers' }),
    cause: driverText,
    advice: ({ place = '' }) => driverHelp(place),
    action: 'details',
    logLines: ({ gpu = '' }) => literalPattern(gpu),
    thresholds: {
      minutes: minutes(
        0,
        t`A GPU that is listed has been detected, and a client that restarts does not list it without its driver.`,
      ),
    },
    rule: rules.driverlessGpus,
  },
  'gpu-gone': {
    gravity: 'grave',
    get title() {
      return t`GPU is gone`
    },
    many: count => plural(count, { one: '# GPU is gone', other: '# GPUs are gone' }),
    cause: ({ evidence }) =>
      t`The machine no longer reports ${gpuOf(evidence)}; clients list every GPU that is in the computer, also without a driver.`,
    advice: t`The computer does not see it any more: check its seat and its power, and whether it was moved to another slot or disabled in the system. If you took it out, acknowledge this; it is forgotten after 30 days.`,
    action: 'settings',
    logLines: ({ gpu = '' }) => literalPattern(gpu),
    thresholds: {
      minutes: minutes(5, t`A client detects its GPUs only some time after it started, and reports none until then.`),
    },
    rule: rules.missingGpus,
  },
  stalled: {
    gravity: 'grave',
    get title() {
      return t`Work unit makes no progress`
    },
    many: count => plural(count, { one: '# work unit makes no progress', other: '# work units make no progress' }),
    cause: stalledText,
    advice: ({ reason }) =>
      reason === undefined || reason === 'starting'
        ? t`Pause and fold the group: the core restarts from its last checkpoint. If it stalls again, restart the machine; then dump the work unit.`
        : t`Restart the folding client on the machine, so that it asks the server again. If that happens often, check the machine’s network, its proxy and its firewall.`,
    action: 'log',
    logLines: ofUnit,
    thresholds: {
      frames: {
        label: t`Frames without progress`,
        unit: t`frames`,
        default: 3,
        least: 1,
        most: 100,
        reason: t`A client reports progress in steps of a tenth of a frame; cores report at least once a frame.`,
      },
      still: {
        label: t`At least`,
        unit: t`minutes`,
        default: 15,
        least: 1,
        most: 1440,
        reason: t`Checkpoints and a busy computer stop a core for minutes. Before a speed is known, this alone counts.`,
      },
    },
    rule: rules.stalledUnits,
  },
  deadline: {
    gravity: 'grave',
    get title() {
      return t`Deadline missed or at risk`
    },
    many: count =>
      plural(count, { one: '# work unit misses its deadline', other: '# work units miss their deadlines' }),
    cause: condition => lateText(t`deadline`, condition, t`Results after it earn no points.`),
    advice: t`Give it more hours or more CPUs. If it cannot be done in time, dump it, so that the machine gets other work.`,
    action: 'settings',
    logLines: ofUnit,
    thresholds: {
      minutes: minutes(10, t`The estimate of a unit that has just started or resumed is not reliable yet.`),
    },
    rule: rules.unitsPastDeadline,
  },
  timeout: {
    gravity: 'warning',
    get title() {
      return t`Timeout missed or at risk`
    },
    many: count => plural(count, { one: '# work unit misses its timeout', other: '# work units miss their timeouts' }),
    cause: condition =>
      lateText(t`timeout`, condition, t`Results after it earn no bonus, and another machine gets the unit too.`),
    advice: t`Give it more hours or more CPUs. It still earns its base points until the deadline.`,
    action: 'settings',
    logLines: ofUnit,
    thresholds: {
      minutes: minutes(10, t`The estimate of a unit that has just started or resumed is not reliable yet.`),
    },
    rule: rules.unitsPastTimeout,
  },
  unreachable: {
    gravity: 'grave',
    get title() {
      return t`Out of reach`
    },
    many: count => plural(count, { one: '# machine out of reach', other: '# machines out of reach' }),
    cause: ({ since }, now) => t`The machine has not answered for ${formatInterval((now - since) / 1000)}.`,
    advice: t`Check that it is switched on and online, and that its folding client is running. It reconnects automatically.`,
    action: 'reconnect',
    logLines: anyLine,
    thresholds: {
      minutes: minutes(
        10,
        t`A client that restarts, or whose node restarts, is back within a minute or two; a machine that updates itself within ten.`,
      ),
    },
    rule: rules.unreachableClient,
  },
  excessive: {
    gravity: 'warning',
    get title() {
      return t`Sends more than a client does`
    },
    many: count =>
      plural(count, {
        one: '# machine sends more than a client does',
        other: '# machines send more than a client does',
      }),
    cause: excessText,
    advice: t`The server has disconnected it, so that the other machines are not affected, and tries again by itself after a while that grows. Check that a folding client answers at its address, and restart or update that client.`,
    action: 'details',
    logLines: noLine,
    thresholds: {
      minutes: minutes(0, t`What counts as too much is ten times what the largest clients send.`),
    },
    rule: rules.excessiveClient,
  },
  waiting: {
    gravity: 'warning',
    get title() {
      return t`Waiting for long`
    },
    many: count => plural(count, { one: '# long wait for work or servers', other: '# long waits for work or servers' }),
    cause: waitText,
    advice: ({ reason, answer }) =>
      reason === 'unusable'
        ? t`Restart the folding client on the machine. If that does not help, see whether a virus scanner removes or blocks the core.`
        : answer === undefined
          ? NO_SERVER
          : t`Often the project has no work for this hardware for a while. If it lasts, check the machine’s network and its log.`,
    action: 'log',
    logLines: ({ unit }) => logQueryOfUnit(unit) ?? FAILURE_QUERY,
    thresholds: {
      minutes: minutes(
        30,
        t`The delay between attempts grows to 512 s, so that less than half an hour is a few attempts only.`,
      ),
    },
    rule: rules.longWaits,
  },
  unsent: {
    gravity: 'warning',
    get title() {
      return t`Finished results not sent`
    },
    many: count => plural(count, { one: '# finished result not sent', other: '# finished results not sent' }),
    cause: unsentResultText,
    advice: t`Let the group fold, and check the machine’s upload: the bonus falls with every hour, and nothing is earned after the deadline.`,
    action: 'fold',
    logLines: ({ unit }) => logQueryOfUnit(unit) ?? FAILURE_QUERY,
    thresholds: {
      minutes: minutes(30, t`Servers are tried in turn, and a slow line needs some minutes for large results.`),
      hours: {
        label: t`At once with less left than`,
        unit: t`hours`,
        default: 2,
        least: 0,
        most: 48,
        reason: t`Held back or refused more than once, they may miss a timeout that is near. A result that is being sent needs no person.`,
      },
    },
    rule: rules.unsentResults,
  },
  full: {
    gravity: 'warning',
    get title() {
      return t`No new work until results are sent`
    },
    many: count => plural(count, { one: '# group full of unsent results', other: '# groups full of unsent results' }),
    cause: ({ evidence }) =>
      t`Group “${groupOf(evidence)}”: ${fullText({ count: evidence.count ?? 0, unsent: Number(evidence.used) })}`,
    advice: FULL_HELP,
    action: 'log',
    logLines: failures,
    thresholds: {
      minutes: minutes(5, t`The count is exact; an upload that is just ending makes room.`),
    },
    rule: rules.fullGroups,
  },
  starved: {
    gravity: 'warning',
    get title() {
      return t`Idle while the group asks in vain`
    },
    many: count => plural(count, { one: '# group with idle hardware', other: '# groups with idle hardware' }),
    cause: ({ evidence }) => {
      const { stored = '', answer } = evidence
      const text = t`Group “${groupOf(evidence)}”: ${starvedText(stored)}`
      return answer === undefined ? text : t`${text} The server’s last answer: ${plainAnswer(answer)}`
    },
    advice: STARVED_HELP,
    action: 'settings',
    logLines: failures,
    thresholds: {
      minutes: minutes(15, t`The first attempts are seconds apart; after these minutes they are rare.`),
    },
    rule: rules.starvedGroups,
  },
  slow: {
    gravity: 'warning',
    get title() {
      return t`Slower than usual`
    },
    many: count => plural(count, { one: '# work unit slower than usual', other: '# work units slower than usual' }),
    cause: ({ evidence }) =>
      t`${unitOf(evidence)} takes ${formatInterval(evidence.seconds)} per frame; this machine’s earlier units of the project took ${formatInterval(evidence.usualSeconds)}.`,
    advice: t`Check temperature and power limit of the GPU, and what else runs on the machine.`,
    action: 'details',
    logLines: ofUnit,
    thresholds: {
      minutes: minutes(10, t`Speed is measured over 30 to 60 minutes already; this leaves out a passing load.`),
      percent: {
        label: t`Slower by`,
        unit: '%',
        default: 40,
        least: 5,
        most: 900,
        reason: t`Units of one project differ by a few percent on the same hardware. A GPU that is throttled, or fell back to a slower bus, loses much more.`,
      },
      units: {
        label: t`Compared with at least`,
        unit: t`work units`,
        default: 3,
        least: 1,
        most: 8,
        reason: t`The middle one of three ignores one unusual unit.`,
      },
    },
    rule: rules.slowUnits,
  },
  clock: {
    gravity: 'warning',
    get title() {
      return t`Clock is wrong`
    },
    many: count => plural(count, { one: '# machine with a wrong clock', other: '# machines with wrong clocks' }),
    cause: clockText,
    advice: t`Set the machine’s clock, or let it follow a time server: with a wrong clock it may ignore commands and misjudge deadlines.`,
    action: 'log',
    logLines: anyLine,
    thresholds: {
      seconds: {
        label: t`Wrong by`,
        unit: t`seconds`,
        default: 300,
        least: 30,
        most: 86_400,
        reason: t`A busy relay was seen to delay messages by 68 s, which looks like a clock that is behind.`,
      },
    },
    rule: rules.wrongClock,
  },
  'too-old': {
    gravity: 'warning',
    get title() {
      return t`Client too old`
    },
    many: count =>
      plural(count, { one: '# client too old to be controlled', other: '# clients too old to be controlled' }),
    cause: ({ evidence: { version = '' } }) => t`Version ${version} is too old to be controlled from here.`,
    advice: t`Download the latest client and install it on the machine.`,
    action: 'download',
    logLines: noLine,
    thresholds: { minutes: minutes(0, t`Commands need version 8.3.0.`) },
    rule: rules.tooOldClient,
  },
  outdated: {
    gravity: 'notice',
    get title() {
      return t`Client outdated`
    },
    many: count => plural(count, { one: '# outdated client', other: '# outdated clients' }),
    cause: ({ evidence: { version = '' } }) => t`Version ${version} is installed; a newer one is available.`,
    advice: t`Download the latest client and install it on the machine.`,
    action: 'download',
    logLines: noLine,
    thresholds: { minutes: minutes(0, t`The download host names the latest version.`) },
    rule: rules.outdatedClient,
  },
  nonsense: {
    gravity: 'warning',
    get title() {
      return t`Impossible setting`
    },
    many: count => plural(count, { one: '# impossible setting', other: '# impossible settings' }),
    cause: nonsenseText,
    advice: t`Correct it in the machine’s settings. Clients store any value without a check.`,
    action: 'settings',
    logLines: noLine,
    thresholds: { minutes: minutes(0, t`Clients store any value without a check.`) },
    rule: rules.nonsenseSettings,
  },
  shared: {
    gravity: 'warning',
    get title() {
      return t`Groups share hardware`
    },
    many: count =>
      plural(count, { one: '# case of groups sharing hardware', other: '# cases of groups sharing hardware' }),
    cause: sharedText,
    advice: t`Give each CPU and GPU to one group, or let the groups fold at different times.`,
    action: 'settings',
    logLines: noLine,
    thresholds: {
      minutes: minutes(5, t`After a change of settings, values disagree for a moment.`),
    },
    rule: rules.sharedHardware,
  },
  ineffective: {
    gravity: 'notice',
    get title() {
      return t`Setting without effect`
    },
    many: count => plural(count, { one: '# setting without effect', other: '# settings without effect' }),
    cause: ineffectiveText,
    advice: ({ reason, place = '' }) =>
      reason === 'gpu-driver'
        ? driverHelp(place)
        : t`Change it in the machine’s settings, or in those of your account.`,
    action: 'settings',
    logLines: noLine,
    thresholds: {
      minutes: minutes(
        5,
        t`After a change of settings, and while GPUs are being detected, values disagree for a moment.`,
      ),
    },
    rule: rules.ineffectiveSettings,
  },
  silent: {
    gravity: 'warning',
    get title() {
      return t`No value for a schedule`
    },
    many: count =>
      plural(count, { one: '# schedule without a value it needs', other: '# schedules without a value they need' }),
    cause: ({ evidence: { name = '', stored } }) =>
      stored === undefined
        ? t`Schedule “${name}” needs the price of energy, which is not known.`
        : t`Schedule “${name}” needs ${stored}, which sends nothing.`,
    advice: t`Check what sends the value. Until it comes, the rule does what it says for missing values.`,
    action: 'details',
    logLines: noLine,
    thresholds: {
      minutes: minutes(5, t`A rule says itself how long a value counts; what sends it may just be restarting.`),
    },
    rule: rules.silentValues,
  },
  forgotten: {
    gravity: 'notice',
    get title() {
      return t`Paused and forgotten`
    },
    many: count => plural(count, { one: '# group paused for long', other: '# groups paused for long' }),
    cause: ({ evidence, since }, now) =>
      t`Group “${groupOf(evidence)}” has been paused for ${formatInterval((now - since) / 1000)}.`,
    advice: t`Press Fold to resume. If it is to stay paused, acknowledge this.`,
    action: 'fold',
    logLines: anyLine,
    thresholds: { minutes: minutes(1440, t`A pause over a night or a working day is on purpose.`) },
    rule: rules.forgottenGroups,
  },
}

/** All kinds with their entries. */
export const incidentKinds: readonly (readonly [IncidentKind, KindEntry])[] = INCIDENT_KINDS.map(kind => [
  kind,
  TABLE[kind],
])

/** What to do about an incident. */
export function adviceOf({ kind, evidence }: Pick<Condition, 'kind' | 'evidence'>): string {
  const { advice } = TABLE[kind]
  return typeof advice === 'string' ? advice : advice(evidence)
}

export function kindEntry(kind: IncidentKind): KindEntry {
  return TABLE[kind]
}

/** The client's name, and what is wrong. */
export function incidentTitle({ name, kind }: Pick<Incident, 'name' | 'kind'>): string {
  return `${name}: ${kindEntry(kind).title}`
}

/** The key of a threshold in the settings. */
export function thresholdKey(kind: IncidentKind, name: string): string {
  return `${kind}.${name}`
}

/** A threshold as it was set, within its bounds, else its default; 0 for one that the kind does not have. */
export function thresholdOf({ thresholds }: IncidentSettings, kind: IncidentKind, name: string): number {
  const entry = Object.hasOwn(TABLE[kind].thresholds, name) ? TABLE[kind].thresholds[name] : undefined
  if (entry === undefined) return 0
  const key = thresholdKey(kind, name)
  const chosen = Object.hasOwn(thresholds, key) ? thresholds[key] : undefined
  return chosen === undefined || !Number.isFinite(chosen)
    ? entry.default
    : Math.min(entry.most, Math.max(entry.least, chosen))
}

/** The number of incidents in words, for titles: '3 clients out of reach'. */
export function manyText(kind: IncidentKind, count: number): string {
  return TABLE[kind].many(count)
}
