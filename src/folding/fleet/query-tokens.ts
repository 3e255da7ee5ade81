/*
 * The table of what a query can search for. A token is one entry here: the parser, the suggestions, the help and the
 * checks of the summary follow from it.
 */
import { t } from '@lingui/core/macro'
import { kindEntry } from '../incidents/incident-kinds.ts'
import { INCIDENT_KINDS } from '../incidents/incident.ts'
import { DEFAULT_GROUP, groupTitle } from '../client/group.ts'
import type { StateTone } from '../shared/appearance.ts'
import { clientStatusAppearance, CLIENT_STATUSES, riskAppearance, type ClientFacts } from './client-facts.ts'
import {
  anyNumberTest,
  choiceTest,
  durationTest,
  exactTextTest,
  numberTest,
  textTest,
  versionTest,
  type FactsTest,
} from './query-values.ts'

export type { FactsTest } from './query-values.ts'

export type QueryToken = {
  readonly key: string
  readonly title: string
  /** What it finds, in one sentence. */
  readonly help: string
  /** A whole term. */
  readonly example: string
  /** The test for one alternative; undefined when the value is none. */
  readonly compile: (value: string) => FactsTest | undefined
  /** Values that can be suggested before any client has them, with their titles. */
  readonly choices?: readonly { readonly value: string; readonly title: string }[]
  /** The values of a client, for suggestions with counts. */
  readonly valuesOf?: Values
}

const UNIT_TONES: Readonly<Partial<Record<string, StateTone>>> = {
  folding: 'running',
  finishing: 'finishing',
  transferring: 'transfer',
  waiting: 'waiting',
  paused: 'paused',
  failed: 'failed',
}

function isInState(state: string): FactsTest {
  return facts => {
    const tone = UNIT_TONES[state]
    return facts.state === state || (tone !== undefined && facts.units[tone] > 0)
  }
}

const STATE_TESTS = CLIENT_STATUSES.map((state): readonly [string, FactsTest] => [state, isInState(state)])
const STATES = Object.fromEntries(STATE_TESTS)

const problemNames = ['none', 'notice', 'warning', 'error'] as const

type Values = (facts: ClientFacts) => readonly string[]

const problemValues: Values = ({ problem }) => (problem === 0 ? ['none'] : [problemNames[problem], 'any'])
const incidentValues: Values = ({ incidents }) => (incidents.length === 0 ? ['none'] : [...incidents, 'any'])
const riskValues: Values = ({ deadlineRisk }) => (deadlineRisk === 'none' ? ['none'] : [deadlineRisk, 'any'])
const accountValues: Values = ({ account }) => (account === undefined ? [] : [account])
const ageValues: Values = ({ isTooOld }) => [isTooOld ? 'yes' : 'no']

/** One of these values, where the client has it. */
function valueTest(values: readonly string[], valuesOf: Values): QueryToken['compile'] {
  return choiceTest(
    Object.fromEntries(values.map((value): [string, FactsTest] => [value, facts => valuesOf(facts).includes(value)])),
  )
}

/** 'none' for clients without any, else `test`. */
function orNone(read: (facts: ClientFacts) => readonly unknown[], test: QueryToken['compile']): QueryToken['compile'] {
  return value => (value.toLowerCase() === 'none' ? facts => read(facts).length === 0 : test(value))
}

// A client that was never reached counts as offline since always.
function offlineFor({ isConnected, state, offlineSince }: ClientFacts, now: number): number | undefined {
  return isConnected || state === 'loading' ? undefined : now - (offlineSince ?? -Infinity)
}

const tokens: readonly QueryToken[] = [
  {
    key: 'state',
    title: t`State`,
    help: t`Machines in this state, or with a work unit in it.`,
    example: 'state:waiting',
    compile: choiceTest(STATES),
    choices: CLIENT_STATUSES.map(value => ({ value, title: clientStatusAppearance(value).label })),
    valuesOf: facts => STATE_TESTS.flatMap(([state, test]) => (test(facts, 0) ? state : [])),
  },
  {
    key: 'problem',
    title: t`Problem`,
    help: t`How much attention a machine needs.`,
    example: 'problem:error',
    compile: valueTest(['error', 'warning', 'notice', 'any', 'none'], problemValues),
    choices: [
      { value: 'any', title: t`Any problem` },
      { value: 'error', title: t`Error` },
      { value: 'warning', title: t`Warning` },
      { value: 'notice', title: t`Notice` },
      { value: 'none', title: t`None` },
    ],
    valuesOf: problemValues,
  },
  {
    key: 'incident',
    title: t`Incident`,
    help: t`Machines with an open incident of this kind, as on the Attention page.`,
    example: 'incident:stalled',
    compile: valueTest(['any', 'none', ...INCIDENT_KINDS], incidentValues),
    choices: [
      { value: 'any', title: t`Any incident` },
      { value: 'none', title: t`None` },
      ...INCIDENT_KINDS.map(value => ({ value, title: kindEntry(value).title })),
    ],
    valuesOf: incidentValues,
  },
  {
    key: 'name',
    title: t`Name`,
    help: t`Part of the machine’s name.`,
    example: 'name:desk',
    compile: textTest(({ name }) => [name]),
    valuesOf: ({ name }) => [name],
  },
  {
    key: 'tag',
    title: t`Tag`,
    help: t`Machines with this tag; “none” for those without tags.`,
    example: 'tag:attic',
    compile: orNone(
      ({ tags }) => tags,
      exactTextTest(({ tags }) => tags),
    ),
    choices: [{ value: 'none', title: t`Without tags` }],
    valuesOf: ({ tags }) => (tags.length === 0 ? ['none'] : tags),
  },
  {
    key: 'gpu',
    title: 'GPU',
    help: t`Part of the name of a GPU; “none” for machines without supported GPUs.`,
    example: 'gpu:4090',
    compile: orNone(
      ({ gpus }) => gpus,
      textTest(({ gpus }) => gpus),
    ),
    valuesOf: ({ gpus }) => (gpus.length === 0 ? ['none'] : [...new Set(gpus)]),
  },
  {
    key: 'paused',
    title: t`Paused alone`,
    help: t`Machines with a GPU, or CPUs, that are paused while the rest goes on: part of its name, “any” or “none”.`,
    example: 'paused:any',
    compile: value =>
      value.toLowerCase() === 'any'
        ? ({ pausedAlone }) => pausedAlone.length > 0
        : orNone(
            ({ pausedAlone }) => pausedAlone,
            textTest(({ pausedAlone }) => pausedAlone),
          )(value),
    choices: [
      { value: 'any', title: t`Any GPU, or CPUs` },
      { value: 'none', title: t`None` },
    ],
    valuesOf: ({ pausedAlone }) => (pausedAlone.length === 0 ? ['none'] : ['any', ...new Set(pausedAlone)]),
  },
  {
    key: 'project',
    title: t`Project`,
    help: t`Machines with a work unit of this project.`,
    example: 'project:18420',
    compile: anyNumberTest(({ projects }) => projects),
    valuesOf: ({ projects }) => projects.map(String),
  },
  {
    key: 'version',
    title: t`Version`,
    help: t`The client’s version, also compared.`,
    example: 'version:<8.5',
    compile: versionTest(({ version }) => version),
    valuesOf: ({ version }) => (version === undefined ? [] : [version]),
  },
  {
    key: 'os',
    title: t`OS`,
    help: t`Part of the operating system’s name or version.`,
    example: 'os:linux',
    compile: textTest(({ os, osVersion }) => [os, osVersion]),
    valuesOf: ({ os }) => (os === undefined ? [] : [os]),
  },
  {
    key: 'group',
    title: t`Group`,
    help: t`Part of the name of a resource group.`,
    example: 'group:night',
    compile: textTest(({ groups, ownGroups }) => [...groups.map(groupTitle), ...ownGroups]),
    choices: [{ value: DEFAULT_GROUP, title: DEFAULT_GROUP }],
    valuesOf: ({ groups, ownGroups }) => [...groups.map(groupTitle), ...ownGroups],
  },
  {
    key: 'ppd',
    title: 'PPD',
    help: t`Points per day now; a percentage compares with what is usual for the machine.`,
    example: 'ppd:<50%',
    compile: numberTest(
      ({ ppd }) => ppd,
      ({ usualPpd }) => usualPpd,
    ),
    choices: [
      { value: '<50%', title: t`Less than half of the usual` },
      { value: '>1M', title: t`More than a million` },
      { value: '0', title: t`None` },
    ],
  },
  {
    key: 'points',
    title: t`Points`,
    help: t`Points of the last 24 hours.`,
    example: 'points:>100k',
    compile: numberTest(({ pointsDay }) => pointsDay),
  },
  {
    key: 'watts',
    title: t`Watts`,
    help: t`What a machine draws now.`,
    example: 'watts:>300',
    compile: numberTest(({ power }) => power?.watts),
  },
  {
    key: 'ppkwh',
    title: t`Points/kWh`,
    help: t`Points per kilowatt hour now.`,
    example: 'ppkwh:<500k',
    compile: numberTest(({ power }) => power?.pointsPerKwh),
  },
  {
    key: 'units',
    title: t`Work Units`,
    help: t`How many work units a machine has.`,
    example: 'units:>4',
    compile: numberTest(({ unitCount }) => unitCount),
    choices: [{ value: '0', title: t`None` }],
  },
  {
    key: 'failed',
    title: t`Failures`,
    help: t`How many work units have failed, or got lost, in a row.`,
    example: 'failed:>0',
    compile: numberTest(({ failedUnits }) => failedUnits),
    choices: [{ value: '>0', title: t`Any failure` }],
  },
  {
    key: 'offline',
    title: t`Offline`,
    help: t`How long a machine has been out of reach.`,
    example: 'offline:>1h',
    compile: durationTest(offlineFor),
    choices: [
      { value: '>1h', title: t`Longer than an hour` },
      { value: '>1d', title: t`Longer than a day` },
    ],
  },
  {
    key: 'eta',
    title: 'ETA',
    help: t`When the machine’s next work unit is ready.`,
    example: 'eta:<1h',
    compile: durationTest(({ nextFinish }, now) => (nextFinish === undefined ? undefined : nextFinish - now), '<='),
    choices: [
      { value: '<1h', title: t`Within an hour` },
      { value: '>1d', title: t`In more than a day` },
    ],
  },
  {
    key: 'deadline',
    title: t`Deadline`,
    help: t`Work units that will miss their timeout or deadline, or have passed it.`,
    example: 'deadline:any',
    compile: valueTest(['passed', 'deadline', 'timeout', 'any', 'none'], riskValues),
    choices: [
      { value: 'any', title: t`At risk` },
      ...(['passed', 'deadline', 'timeout'] as const).map(value => ({
        value,
        title: riskAppearance(value)?.label ?? value,
      })),
      { value: 'none', title: t`Not at risk` },
    ],
    valuesOf: riskValues,
  },
  {
    key: 'cpus',
    title: t`CPUs`,
    help: t`How many CPUs a machine has.`,
    example: 'cpus:>=16',
    compile: numberTest(({ cpusThere }) => cpusThere),
    valuesOf: ({ cpusThere }) => (cpusThere === undefined ? [] : [String(cpusThere)]),
  },
  {
    key: 'gpus',
    title: t`GPUs`,
    help: t`How many supported GPUs a machine has.`,
    example: 'gpus:>1',
    compile: numberTest(({ gpusThere }) => gpusThere),
    valuesOf: ({ gpusThere }) => (gpusThere === undefined ? [] : [String(gpusThere)]),
  },
  {
    key: 'account',
    title: t`Account`,
    help: t`Whose machine it is.`,
    example: 'account:none',
    compile: valueTest(['own', 'other', 'none'], accountValues),
    choices: [
      { value: 'own', title: t`Your account` },
      { value: 'other', title: t`Another account` },
      { value: 'none', title: t`No account` },
    ],
    valuesOf: accountValues,
  },
  {
    key: 'old',
    title: t`Too Old`,
    help: t`Whether the client is too old to be controlled.`,
    example: 'old:yes',
    compile: valueTest(['yes', 'no'], ageValues),
    choices: [
      { value: 'yes', title: t`Too old to be controlled` },
      { value: 'no', title: t`Can be controlled` },
    ],
    valuesOf: ageValues,
  },
]

/** By key, in the order of suggestions. */
export const QUERY_TOKENS: ReadonlyMap<string, QueryToken> = new Map(tokens.map(token => [token.key, token]))
