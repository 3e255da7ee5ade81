import { describe, expect, it } from 'vitest'
import { calm, groupConfig, info, quiet, received, replay } from '../../test/recorded.ts'
import { areRecordingsHere, recordingNames } from '../../test/recording.ts'
import { decodeClientMessage } from './client/client-message.ts'
import { decodeRelayMessage } from './relay/relay-message.ts'

function replayFile(name: string) {
  return replay(received(name).flatMap(line => decodeClientMessage(line.raw)))
}

const gpus = {
  'gpu:01:00:00': {
    vendor: 4318,
    type: 'nvidia',
    description: 'NVIDIA Stand-in A',
    uuid: 'a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0',
    cuda: { platform: 0, device: 0, compute: '8.9', driver: '12.4' },
    device: 9860,
    supported: true,
  },
  'gpu:02:00:00': {
    vendor: 4098,
    device: 29772,
    type: 'amd',
    supported: false,
    description: 'Navi 31 [Radeon RX 7900 XT/7900 XTX]',
  },
  'gpu:03:00:00': {
    vendor: 4318,
    type: 'nvidia',
    description: 'NVIDIA Stand-in B',
    uuid: 'a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1',
    cuda: { platform: 0, device: 1, compute: '8.9', driver: '12.4' },
    device: 4992,
    supported: false,
  },
}

const config = { user: 'Anonymous', team: 0, passkey: '', cause: 'any' }

const core = {
  sha256: 'd7b180dc276f0d2d270b0586cce6877a32ecd82e02f0059cddd1d6e87471020a',
  type: '0xaa',
  url: 'https://localhost/cores/fahcore-aa-standin-0.0.1.tar.bz2',
}
const assignment = {
  core,
  cpus: 1,
  credit: 14500,
  deadline: 259200,
  max_cpus: 1,
  min_cpus: 1,
  port: 443,
  timeout: 129600,
  ws: 'localhost',
}
const wu = {
  clone: 5,
  compression: 'none',
  cs: ['127.0.0.1'],
  gen: 41,
  run: 3,
  server: 316418200,
  sha256: 'AF40suUzCyg1i2cQUsbZ35Rw07zxykNSXD0pDXZa24A=',
}

describe.skipIf(!areRecordingsHere)('Recorded traffic (skipped when ../shared/captures is absent)', () => {
  it('decodes without a fault, line by line, in every file', () => {
    const files = recordingNames()
    const counts = files.map(name => {
      const facts = received(name).map(({ raw }) =>
        name.startsWith('relay') ? decodeRelayMessage(raw) : decodeClientMessage(raw),
      )
      const isGood = (each: (typeof facts)[number]) =>
        'ok' in each ? each.ok && each.faults.length === 0 : each.length === 1 && each[0]?.type !== 'fault.found'
      expect(
        facts.filter(each => !isGood(each)),
        name,
      ).toEqual([])
      return [name, facts.length]
    })
    expect(Object.fromEntries(counts)).toEqual({
      'direct-busy': 634,
      'direct-config': 43,
      'direct-connect-idle': 6,
      'direct-finish': 65,
      'direct-gpus-groups': 382,
      'direct-log': 4,
      'direct-state': 82,
      'direct-units-history-viz': 368,
      'relay-account': 69,
    })
  })

  it('direct-connect-idle: nothing happens but five pings', () => {
    expect(replayFile('direct-connect-idle')).toEqual({
      ...quiet,
      data: { info, config, groups: { '': { config: groupConfig } }, units: [] },
      pings: 5,
    })
  })

  it('direct-state: paused at the end, all units aborted, the wait of the last fold remembered', () => {
    expect(replayFile('direct-state')).toEqual({
      ...quiet,
      data: { info, config, groups: { '': { config: groupConfig, wait: '2026-11-20T13:35:39Z', ...calm } }, units: [] },
      pings: 0,
    })
  })

  it('direct-config: everything that was set is set back, every group that was made is gone', () => {
    expect(replayFile('direct-config')).toEqual({
      ...quiet,
      pings: 0,
      data: {
        info: { ...info, pid: 24316, id: 'qodC8LMjLtVOveKIVgIXsiAsda9y_Fuz7vNG9nkxr14' },
        config,
        groups: { '': { config: groupConfig } },
        units: [],
      },
    })
  })

  it('direct-finish: the unit is credited and removed, the group paused', () => {
    expect(replayFile('direct-finish')).toEqual({
      ...quiet,
      pings: 1,
      data: {
        info: { ...info, gpus, pid: 31505, id: 'Dy3S3VG_sfkXuZfxXum1zw1jCz4WusyN3aJXYipXOhk' },
        config,
        groups: { '': { config: groupConfig, wait: '2026-11-20T14:39:52Z', ...calm } },
        units: [],
      },
    })
  })

  it("direct-gpus-groups: the deleted group's units are in the default group, which finishes", () => {
    const assigning = { group: '', gpus: [], state: 'ASSIGN', delay: 64, retries: 6 }
    expect(replayFile('direct-gpus-groups')).toEqual({
      ...quiet,
      pings: 1,
      data: {
        info: { ...info, gpus, pid: 31066, id: 'Dy3S3VG_sfkXuZfxXum1zw1jCz4WusyN3aJXYipXOhk' },
        config,
        groups: {
          '': {
            config: {
              ...groupConfig,
              paused: false,
              finish: true,
              cpus: 2,
              gpus: { 'gpu:01:00:00': { enabled: true } },
            },
            wait: '2026-11-20T14:37:57Z',
            ...calm,
          },
        },
        units: [
          {
            cpus: 1,
            gpus: ['gpu:01:00:00'],
            group: '',
            id: 'uVd94Lv948iTVd-QJouWV6KsBcJ0fjwda9PgJsfcYag',
            number: 80,
            state: 'RUN',
            run_time: 133,
            paused: true,
            progress: 0,
            assignment: { ...assignment, project: 18480, time: '2026-11-20T14:26:31Z', gpus: ['gpu:01:00:00'] },
            wu: { ...wu, time: '2026-11-20T14:26:31Z', estimate: 60 },
            wu_progress: 0.517,
            eta: '28s',
            ppd: 355399200,
            frames: 2,
            pause_reason: 'Resources not available',
          },
          {
            ...assigning,
            number: 1,
            cpus: 1,
            id: '7RGIvR9-cCan3h29xHEeB2jsMUYUJnd7HBtuHAIBe0I',
            wait: '2026-11-20T14:39:21Z',
          },
          {
            ...assigning,
            number: 2,
            cpus: 0,
            gpus: ['gpu:01:00:00'],
            id: '2fGu1GLJgH6G4h3nFmPxLHvvHdKrA-PnrD3p-ZeLxfg',
            wait: '2026-11-20T14:39:35Z',
          },
        ],
      },
    })
  })

  it('direct-busy: after two and a half minutes one unit rests at 67.3 % and one waits for its download', () => {
    const { data, log, pings, faults } = replayFile('direct-busy')
    expect(data).toEqual({
      info: {
        ...info,
        mach_name: 'Busy',
        pid: 29793,
        id: 'K9NcWxKVpnxnGvoknaXwe4__uRWk1sXJfgc6VwgL5n0',
        account: '3jTFyp89VdfvbStZT-XinT7fxtaKRZ4Hufski4cKBD0',
      },
      config: { user: 'Relay_User', team: 777, passkey: '', cause: 'cancer' },
      groups: { '': { config: { ...groupConfig, cpus: 2 }, wait: '2026-11-20T14:29:50Z', ...calm, lost_wus: 1 } },
      units: [
        {
          cpus: 1,
          gpus: [],
          group: '',
          id: 'oZ9W9W_C-deHhcAWhU98Yi26OBWu1lzsvxImkoX7Iuc',
          number: 70,
          state: 'RUN',
          frames: 11,
          paused: false,
          progress: 0,
          assignment: { ...assignment, project: 18470, time: '2026-11-20T14:19:35Z' },
          wu: { ...wu, time: '2026-11-20T14:19:35Z', estimate: 160 },
          wu_progress: 0.673,
          eta: '52s',
          ppd: 124412220,
          pause_reason: 'Paused',
          run_time: 104,
        },
        {
          cpus: 1,
          gpus: [],
          group: '',
          id: 'hrFLs1yDdXl-zZq6WcGlNVldLcX2fvHoxUqJJV6rLrU',
          number: 72,
          state: 'DOWNLOAD',
          paused: false,
          progress: 1,
          delay: 0,
          wait: '2026-11-20T14:31:33Z',
          retries: 5,
          pause_reason: 'Paused',
        },
      ],
    })
    expect({ lines: log.length, first: log[0], last: log.at(-1), pings, faults }).toEqual({
      lines: 217,
      first: '14:29:35:I1:    Version: 8.5.7',
      last: '\u001b[93m14:32:10:W :Failed to update GPUs\u001b[0m',
      pings: 2,
      faults: [],
    })
  })

  it('direct-log: the replay and what was missed while it was off, without a gap', () => {
    const { log, faults, data } = replayFile('direct-log')
    expect({ lines: log.length, first: log[0], last: log.at(-1), faults }).toEqual({
      lines: 252,
      first: '13:29:50:I1:    Version: 8.5.7',
      last: '13:34:32:I1:Machine state pause',
      faults: [],
    })
    expect(data).toEqual({ info, config, groups: { '': { config: groupConfig } }, units: [] })
  })

  it('direct-units-history-viz: four units are left, thirteen ended, five frames came', () => {
    const { data, history, molecules, faults } = replayFile('direct-units-history-viz')
    expect(faults).toEqual([])
    expect(data).toEqual({
      info: { ...info, pid: 7376, id: 'K9NcWxKVpnxnGvoknaXwe4__uRWk1sXJfgc6VwgL5n0' },
      config,
      groups: { '': { config: groupConfig, wait: '2026-11-20T13:47:36Z', ...calm } },
      units: [
        {
          cpus: 1,
          gpus: [],
          group: '',
          id: 'FjZ6rLZ6SgF8jairlWgsyzkIY3gPcRTdoKDgxVZEx8Q',
          number: 21,
          state: 'RUN',
          run_time: 1283,
          wu_progress: 0.15,
          eta: '2h 1m',
          ppd: 719983,
          frames: 6,
          paused: false,
          progress: 0,
          assignment: { ...assignment, max_cpus: 64, project: 18421, time: '2026-11-19T12:45:09Z' },
          wu: { ...wu, clone: 1, gen: 2, run: 0, time: '2026-11-20T13:35:09Z' },
          pause_reason: 'Paused',
        },
        {
          cpus: 1,
          gpus: [],
          group: '',
          id: 'aP9j-4Lg5d_sKoSWv5r-9gitY57VUudAJo61N_pSBn8',
          number: 23,
          state: 'DOWNLOAD',
          paused: false,
          progress: 0.271,
          delay: 0,
          wait: '2026-11-20T13:48:24Z',
          retries: 6,
          pause_reason: 'Paused',
        },
        {
          cpus: 1,
          gpus: ['gpu:01:00:00'],
          group: '',
          id: '48W6UduoWrDJkNteMJ9Ne9soJHD7Aq7nW5AiwTmekcg',
          number: 24,
          state: 'RUN',
          paused: true,
          progress: 0,
          pause_reason: 'Paused',
        },
        {
          cpus: 1,
          gpus: [],
          group: '',
          id: 'xJ_qdCX6f4aZiXqXwVnGaQJn2QA7t4xT-vqPwVwyXYQ',
          number: 27,
          state: 'CORE',
          run_time: 777,
          pause_reason: 'Paused',
          paused: true,
        },
      ],
    })
    expect(
      history.map(unit => `${unit.number ?? '?'} ${unit.state ?? '?'} ${unit.result ?? '?'} ${unit.end_time ?? '?'}`),
    ).toEqual([
      '25 DUMP dumped 2026-11-20T13:46:41Z',
      '26 CORE expired 2026-11-20T13:46:40Z',
      '9 DUMP aborted 2026-11-20T13:44:09Z',
      '8 DUMP missing 2026-11-20T13:40:09Z',
      '7 DUMP rejected 2026-11-20T13:30:09Z',
      '6 DUMP retries 2026-11-20T13:15:09Z',
      '5 DUMP failed 2026-11-20T12:45:09Z',
      '4 DUMP expired 2026-11-20T12:15:09Z',
      '3 DUMP dumped 2026-11-20T11:45:09Z',
      '2 UPLOAD credited 2026-11-19T13:45:09Z',
      '1 UPLOAD credited 2026-11-17T13:45:09Z',
      '22 UPLOAD credited 2026-11-20T13:46:55Z',
      '20 UPLOAD credited 2026-11-20T13:47:36Z',
    ])
    const unit = 'rLolUSEA-AtW_DzNFMZb5V2UgAzad1hcX0Goh-OY-b4'
    const frame = (index: number, ...positions: number[]) => ({
      type: 'frame.received',
      unit,
      index,
      positions: new Float32Array(positions),
    })
    expect(molecules).toEqual([
      {
        type: 'topology.received',
        unit,
        topology: {
          names: ['C', 'N', 'O', 'H'],
          elements: new Uint8Array([6, 7, 8, 1]),
          bonds: new Uint32Array([0, 1, 1, 2, 0, 3]),
          charges: new Float32Array([0, -0.5, -0.4, 0.3]),
          radii: new Float32Array([1.7, 1.55, 1.52, 1.2]),
          masses: new Float32Array([12.011, 14.007, 15.999, 1.008]),
        },
      },
      frame(0, 0, 0, 0, 1.4, 0, 0, 2.6, 0, 0, 0, -1, 0),
      frame(1, 0.1, 0, 0, 1.5, 0, 0, 2.6, 0.2, 0, 0, -1, 0.1),
      frame(2, 0.2, 0, 0, 1.6, 0, 0, 2.6, 0.4, 0, 0, -1, 0.2),
      frame(2, 0.2, 0, 0, 1.6, 0, 0, 2.6, 0.4, 0, 0, -1, 0.2),
      frame(3, 0.843854, -0.536573, 0, 0.907447, 0.420167, 0.5, 0.136737, 0.990607, 1, -0.759688, 0.650288, 1.5),
      frame(4, 0.424179, -0.905578, 0, 0.991203, -0.132352, 0.5, 0.646919, 0.762558, 1, -0.292139, 0.956376, 1.5),
    ])
  })
})
