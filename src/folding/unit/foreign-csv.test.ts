import { describe, expect, it } from 'vitest'
import { estimatedSpan } from '../fleet/ppd-history.ts'
import { emptyHistory, withExcerpt } from './history.ts'
import { guessColumns, readForeign, readTable } from './foreign-csv.ts'
import { isForeignCsv } from './foreign-file.ts'
import { CSV_COLUMNS } from './unit-csv.ts'

const HFM = `DatabaseID,ProjectID,ProjectRun,ProjectClone,ProjectGen,SlotName,ConnectionString,DonorName,DonorTeam,CoreVersion,FramesCompleted,FrameTime,Result,Assigned,Finished,KFactor,Core,Frames,Atoms,SlotType,PPD,Credit,BaseCredit,ClientVersion,OperatingSystem,PlatformImplementation,PlatformProcessor,PlatformThreads,DriverVersion,ComputeVersion,CUDAVersion
1,18201,4,12,88,Attic Slot 01,10.0.0.7-36330,ada,1,0.0.20,100,00:02:30,FINISHED_UNIT,03/04/2024 08:00:00,03/04/2024 12:30:00,0.75,0x22,100,0,GPU,900000,150000,26000,7.6.21,WIN_10,,,,,,
2,16959,0,3,7,Attic Slot 00,10.0.0.7-36330,ada,1,0.0.20,40,00:01:00,UNSTABLE_MACHINE,03/13/2024 08:00:00,03/13/2024 09:00:00,0.75,0xa8,100,0,CPU,1000,0,500,7.6.21,WIN_10,,,16,,,
3,16959,0,3,8,Attic Slot 00,10.0.0.7-36330,ada,1,0,0,00:00:00,,01/01/0001 00:00:00,01/01/0001 00:00:00,0,,0,0,,0,0,0,,,,,,,,
`

function read(text: string, history = emptyHistory) {
  const table = readTable(text)
  return readForeign(table, guessColumns(table), history)
}
function statuses(text: string, history = emptyHistory) {
  return read(text, history).lines.map(({ line, status }) => [line, status])
}

describe('work units in tables of other programs', () => {
  it('are read from the export of HFM.NET, with points, and lines without a time are named', () => {
    const { excerpt, lines } = read(HFM)
    expect(lines.map(({ line, status }) => [line, status])).toEqual([
      [2, 'new'],
      [3, 'new'],
      [4, 'noTime'],
    ])
    expect(excerpt.machines).toMatchObject([{ id: 'file:Attic', name: 'Attic', owner: undefined }])
    const [first, second] = excerpt.units.map(({ unit }) => unit)
    expect(first).toMatchObject({
      result: 'credited',
      end_time: '2024-03-04T12:30:00Z',
      run_time: 15_000,
      assignment: { project: 18_201, time: '2024-03-04T08:00:00Z', credit: 26_000, core: { type: '0x22' } },
      wu: { run: 4, clone: 12, gen: 88 },
    })
    expect(first === undefined ? 0 : estimatedSpan(first)?.points).toBeCloseTo(150_000)
    expect(second).toMatchObject({ result: 'failed', end_time: '2024-03-13T09:00:00Z', cpus: 16, ppd: 1000 })
  })

  it('are imported once, also when a client has reported them or a line is repeated', () => {
    const history = withExcerpt(emptyHistory, read(HFM).excerpt)
    expect(statuses(HFM, history).map(([, status]) => status)).toEqual(['known', 'known', 'noTime'])
    expect(
      statuses('project,run,clone,gen,ended\n18201,4,12,88,2024-03-04 20:00\n18201,4,12,88,2024-03-09', history),
    ).toEqual([
      [2, 'known'],
      [3, 'new'],
    ])
    expect(statuses('Project;Date\n1;2024-03-04\n1;2024-03-04\n;2024-03-04')).toEqual([
      [2, 'new'],
      [3, 'known'],
      [4, 'noProject'],
    ])
  })

  it('go on with the history of a machine of the same name', () => {
    const attic = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
    expect(read(HFM, { ...emptyHistory, machines: new Map([['attic', attic]]) }).excerpt.machines).toEqual([attic])
  })

  it.each([
    ['2024-03-04', '2024-03-04T00:00:00Z'],
    ['2024-03-04 17:05', '2024-03-04T17:05:00Z'],
    ['2024-03-04T17:05:06+01:00', '2024-03-04T16:05:06Z'],
    ['4.3.2024 17:05', '2024-03-04T17:05:00Z'],
    ['3/4/2024 5:05 PM', '2024-03-04T17:05:00Z'],
    ['3/4/2024 12:05:07 am', '2024-03-04T00:05:07Z'],
    ['3/4/2024\n31/12/2024', '2024-04-03T00:00:00Z'],
    ['last week', undefined],
  ])('have times as people write them: %s', (cells, expected) => {
    const { excerpt } = read(`project;date\n${cells.replaceAll(/^/gm, '1;')}`)
    expect(excerpt.units[0]?.unit.end_time).toBe(expected)
  })

  it('have the day before the month in all times where one of them shows it', () => {
    const { excerpt } = read('project;assigned;finished\n1;28/03/2024;03/04/2024')
    expect(excerpt.units[0]?.unit).toMatchObject({
      end_time: '2024-04-03T00:00:00Z',
      assignment: { time: '2024-03-28T00:00:00Z' },
    })
  })

  it('are of as many machines as there are names', () => {
    const names = ['书房', '客厅', 'PC 1', 'PC_1', 'PC-1', 'x'.repeat(99), 'x'.repeat(100)]
    const { excerpt } = read(
      `project,machine,date\n${names.map((name, at) => `${at + 1},${name},2024-03-04`).join('\n')}`,
    )
    expect(excerpt.machines.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['1.234,56', 1234.56],
    ['1.234,567', 1234.567],
    ['1.234.567', 1_234_567],
    ['1.234', 1.234],
  ])('have points as people write them: %s', (points, expected) => {
    // A hundred frames of 864 s are a day.
    const { excerpt } = read(`project;date;tpf;points\n1;2024-03-04;864;${points}`)
    expect(excerpt.units[0]?.unit.ppd).toBeCloseTo(expected)
  })

  it('have numbers, durations and results as people write them', () => {
    const { excerpt } = read(
      `Project;Machine;Finished;Points;TPF;Result\n1;;2024-03-04;1 234 567,5;3:20;OK\n2;b c;2024-03-04;"1,000";;Dumped\n3;;2024-03-04;;;curious`,
    )
    expect(
      excerpt.units.map(({ machine, unit: { result, run_time: ran, ppd } }) => [machine, result, ran, ppd]),
    ).toEqual([
      ['file:', 'credited', 20_000, 5_333_331.6],
      [expect.stringMatching(/^file:b_c-/), 'dumped', undefined, undefined],
      ['file:', 'curious', undefined, undefined],
    ])
  })

  it('are told from the files of Foldboard', () => {
    const foldboard = CSV_COLUMNS.map(({ title }) => title).join()
    expect([HFM, `\uFEFF${foldboard}\n`, '{"format"', ' []', 'a;b'].map(isForeignCsv)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
  })
})
