/* What a page shows, and fetches ahead, when the first picture is there. One file, since each `import()` of another is a request. */
export { Still } from '../../molecule/still.tsx'
export { MachinePoints } from './machine-points.tsx'
export { createPrefetcher, watchIntents } from '../../../prefetch/prefetch.ts'
export { Notices } from '../../../shell/notices.tsx'
export { IdleLine } from '../processors/idle-line.tsx'
export { LeftOverLine } from '../processors/left-over-line.tsx'
export { ProcessorButtons } from '../processors/processor-buttons.tsx'
export { ProcessorLines } from '../processors/processor-lines.tsx'
