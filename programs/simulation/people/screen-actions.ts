import { teamKey, projectKey, userKey, type ResourceKey } from '../../../src/folding/shared/resource-keys.ts'
import { selectUnits } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectTeamKey, selectUserKey } from '../../../src/machines/account/donor/donor.selectors.ts'
import { selectIncidents } from '../../../src/machines/incidents/incidents/incidents.selectors.ts'
import { selectDialog } from '../../../src/machines/shared/dialogs/dialogs.selectors.ts'
import type { PersonScene } from '../story/scene.ts'
import type { OpenPage } from '../world.ts'
import { anyName } from './names.ts'
import { connectedOf, hasPart, machinesOf, onPage, sendSome, type Action } from './tools.ts'

/** A unit of a machine that is shown. */
function anyUnit(page: OpenPage, { chance }: PersonScene) {
  const client = chance.oneOf(connectedOf(page))
  const unit = client && chance.oneOf(selectUnits(client.getSnapshot()))?.id
  return client === undefined || unit === undefined ? undefined : { client: client.id, unit }
}

const answer: Action = onPage(({ system }, { chance }) => {
  const shown = selectDialog(system.dialogs.getSnapshot())
  if (shown === undefined) return undefined
  const buttons = shown.kind === 'confirm' ? shown.buttons.map(({ id }) => id) : ['ok', 'cancel']
  const button = chance.oneOf(buttons) ?? 'cancel'
  system.dialogs.send({ type: 'dialogs.answer', id: shown.id, button })
  return `answers a question: ${button}`
})

const readLog: Action = onPage((page, { world, chance }) => {
  const { system } = page
  const client = chance.oneOf(machinesOf(page))
  if (client === undefined || !hasPart(system, 'log')) return undefined
  return sendSome(system.log, chance, [
    { type: 'log.prefetch', client, isSure: chance.isTrue(0.5) },
    { type: 'log.cancelPrefetch' },
    { type: 'log.open', client, text: chance.isTrue(0.5) ? '' : 'WU' },
    { type: 'log.open', client, text: '' },
    { type: 'log.open', client, text: '', at: world.scheduler.now() },
    { type: 'log.close' },
  ])
})

const searchLog: Action = onPage(({ system }, { chance }) => {
  if (!hasPart(system, 'log')) return undefined
  const number = chance.whole(0, 50)
  const viewport = {
    place: { number, offset: 0 },
    to: number + 20,
    height: 400,
    share: chance.roll(),
    isAtEnd: chance.isTrue(0.5),
  }
  return sendSome(system.log, chance, [
    { type: 'log.setText', text: chance.oneOf(['', 'WU', 'nothing like it', '(', '/(a+)+$/']) ?? '' },
    { type: 'log.setText', text: 'FS' },
    { type: 'log.filter', errors: chance.isTrue(0.5) },
    { type: 'log.filter', warnings: chance.isTrue(0.5) },
    { type: 'log.reset' },
    { type: 'log.prepareSearch' },
    { type: 'log.scroll', viewport },
    { type: 'log.rendered', viewport },
    { type: 'log.goToStart' },
    { type: 'log.goToEnd' },
    { type: 'log.next' },
    { type: 'log.previous' },
    { type: 'log.select', number },
    { type: 'log.showContext' },
    { type: 'log.showFound' },
  ])
})

const lookAtMolecule: Action = onPage((page, scene) => {
  const { system } = page
  const subject = anyUnit(page, scene)
  if (subject === undefined || !hasPart(system, 'viewer')) return undefined
  const { chance } = scene
  if (chance.isTrue(0.5))
    return sendSome(system.viewer, chance, [
      { type: 'viewer.open', ...subject },
      { type: 'viewer.open', ...subject },
      { type: 'viewer.close' },
    ])
  return sendSome(system.molecules, chance, [
    { type: 'molecules.want', ...subject },
    { type: 'molecules.allow', ...subject, mayAsk: true },
    { type: 'molecules.leave', ...subject },
    { type: 'molecules.retry', ...subject },
    { type: 'molecules.clear' },
  ])
})

const turnMolecule: Action = onPage(({ system }, { chance }) => {
  if (!hasPart(system, 'viewer')) return undefined
  return sendSome(system.viewer, chance, [
    { type: 'viewer.toggleRotation' },
    { type: 'viewer.toggleWiggle' },
    { type: 'viewer.togglePlayback' },
    { type: 'viewer.setSpeed', speed: 1 },
    { type: 'viewer.setSwing', swings: chance.isTrue(0.5) },
    { type: 'viewer.step', by: chance.isTrue(0.5) ? 1 : -1 },
    { type: 'viewer.goTo', frame: chance.whole(0, 3) },
    { type: 'viewer.setStyle', style: chance.isTrue(0.5) ? 1 : 4 },
    { type: 'viewer.setColoring', coloring: 'chain' },
    { type: 'viewer.toggle', option: 'hasGhost' },
    { type: 'viewer.grab' },
    { type: 'viewer.release', isCoasting: chance.isTrue(0.5) },
    { type: 'viewer.endCoasting' },
    { type: 'viewer.hover', atom: chance.whole(0, 9) },
    { type: 'viewer.pick', atom: chance.whole(0, 9) },
    { type: 'viewer.toggleFullScreen' },
    { type: 'viewer.leaveFullScreen' },
    { type: 'viewer.setReducedMotion', isStill: chance.isTrue(0.5) },
    { type: 'viewer.webglMissing' },
    { type: 'viewer.clearStore' },
  ])
})

const attend: Action = onPage(({ system }, { world, chance }) => {
  const keys = selectIncidents(system.incidents.getSnapshot())
    .filter(() => chance.isTrue(0.5))
    .map(({ key }) => key)
  return sendSome(system.incidents, chance, [
    { type: 'incidents.acknowledge', keys },
    { type: 'incidents.snooze', keys, until: world.scheduler.now() + chance.whole(1, 100) * 60_000 },
    { type: 'incidents.reopen', keys },
    { type: 'incidents.clearHistory' },
    { type: 'incidents.change', change: { notifies: chance.isTrue(0.5), hasSound: chance.isTrue(0.5) } },
    { type: 'incidents.askPermission' },
    { type: 'incidents.tryNotification' },
  ])
})

const readStatistics: Action = onPage(({ system }, { chance }) => {
  const key =
    chance.oneOf<ResourceKey>([
      teamKey(chance.whole(0, 3)),
      projectKey(chance.whole(1, 20_000)),
      userKey(anyName(chance, ['Ada', 'Lise']), 0),
    ]) ?? teamKey(0)
  const ref = `team-${chance.whole(1, 3)}` as const
  if (chance.isTrue(0.5))
    return sendSome(system.series, chance, [
      { type: 'series.want', ref },
      { type: 'series.release', ref },
    ])
  return sendSome(system.queryCache, chance, [
    { type: 'queryCache.want', key },
    { type: 'queryCache.release', key },
    { type: 'queryCache.refresh', key },
  ])
})

const readProjects: Action = onPage(({ system }, { chance }) => {
  if (!hasPart(system, 'projects')) return undefined
  return sendSome(system.projects, chance, [
    { type: 'projects.open' },
    { type: 'projects.describe', count: chance.whole(1, 9) },
    { type: 'projects.describe', count: chance.whole(1, 99) },
    { type: 'projects.close' },
  ])
})

/** Files of the molecule that is looked at. A screen reports how far its recording is. */
const saveMolecule: Action = onPage(({ system }, { chance }) => {
  if (!hasPart(system, 'viewer')) return undefined
  const name = anyName(chance, ['molecule'])
  return sendSome(system.viewer, chance, [
    { type: 'viewer.savePicture', name, picture: new Blob(['picture']) },
    { type: 'viewer.saveMolecule', name, format: 'pdb', isTrajectory: chance.isTrue(0.5) },
    { type: 'viewer.saveMolecule', name, format: 'cif', isTrajectory: chance.isTrue(0.5) },
    { type: 'viewer.record', kind: 'turn', name },
    { type: 'viewer.recordingProgressed', share: chance.roll() },
    { type: 'viewer.cancelFile' },
    { type: 'viewer.record', kind: 'trajectory', name },
    chance.isTrue(0.7)
      ? { type: 'viewer.recorded', name, file: new Blob(['video']) }
      : { type: 'viewer.recordingFailed' },
    { type: 'viewer.close' },
  ])
})

/** What is answered to the offer of a new version. */
const answerUpdate: Action = onPage(({ system }, { chance }) =>
  sendSome(system.updates, chance, [
    { type: 'updates.take' },
    { type: 'updates.postpone' },
    { type: 'updates.take' },
    { type: 'updates.take' },
  ]),
)

/** As the screen of one's own points does, which stays open. */
const readOwnStatistics: Action = onPage(({ system }) => {
  const donor = system.donor.getSnapshot()
  const keys = [selectUserKey(donor), selectTeamKey(donor)].flatMap(key => key ?? [])
  for (const key of keys) system.queryCache.send({ type: 'queryCache.want', key })
  return `reads the points of ${keys.join(' and ')}`
})

/** Changes what all tabs of a browser show. */
const changeLooks: Action = onPage(({ system }, { chance }) => {
  const change = chance.isTrue(0.5) ? { compact: chance.isTrue(0.5) } : { wrapsLog: chance.isTrue(0.5) }
  system.preferences.send({ type: 'preferences.change', change })
  return 'changes what is shown'
})

const useHistory: Action = onPage(({ system }, { world, chance }) =>
  sendSome(system.history, chance, [
    { type: 'history.open' },
    { type: 'history.want', reader: 'units', machines: chance.isTrue(0.5) ? 'all' : [] },
    { type: 'history.wantUnlimited' },
    { type: 'history.export', format: 'csv', view: { filter: {}, sort: undefined }, at: world.scheduler.now() },
    { type: 'history.import', file: new Blob(['[]']) },
    { type: 'history.dismiss' },
  ]),
)

const chooseLooks: Action = onPage(({ system }, { chance }) => {
  const name = anyName(chance, ['night', 'day', 'attic'])
  const by = chance.isTrue(0.5) ? 1 : -1
  const did = chance.oneOf<() => string>([
    () =>
      sendSome(system.preferences, chance, [
        { type: 'preferences.change', change: { theme: 'dark' } },
        { type: 'preferences.change', change: { compact: chance.isTrue(0.5), wrapsLog: chance.isTrue(0.5) } },
      ]),
    () =>
      sendSome(system.views, chance, [
        { type: 'views.open' },
        { type: 'views.shown', params: {} },
        { type: 'views.save', name, params: { filter: 'state:waiting' } },
        { type: 'views.rename', name, newName: 'attic' },
        { type: 'views.move', name, by },
        { type: 'views.choose', name },
        { type: 'views.choose' },
        { type: 'views.delete', name },
        { type: 'views.import', views: { views: [{ name, params: {} }], chosen: undefined }, mode: 'merge' },
        { type: 'views.close' },
      ]),
    () =>
      sendSome(system.tags, chance, [
        { type: 'tags.add', machines: ['one'], tag: name },
        { type: 'tags.remove', machines: ['one'], tag: name },
        { type: 'tags.rename', tag: name, newTag: 'attic' },
        { type: 'tags.import', tags: { one: [name] }, mode: 'replace' },
      ]),
    () =>
      hasPart(system, 'power')
        ? sendSome(system.power, chance, [
            {
              type: 'power.profile',
              machine: 'one',
              profile: { gpus: {}, idle: { watts: chance.whole(1, 99), origin: 'entered' } },
            },
          ])
        : 'power',
  ])
  return `chooses what is shown: ${did?.()}`
})

/** What people do on screens, by name. */
export const screenActions = {
  answer,
  readLog,
  searchLog,
  lookAtMolecule,
  turnMolecule,
  attend,
  readStatistics,
  readProjects,
  saveMolecule,
  answerUpdate,
  readOwnStatistics,
  changeLooks,
  useHistory,
  chooseLooks,
} satisfies Record<string, Action>
