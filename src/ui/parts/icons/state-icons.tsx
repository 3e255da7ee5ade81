import type { ReactNode } from 'react'
import type { StateIconName } from '../../../folding/shared/appearance.ts'

function solid(d: string): ReactNode {
  return <path fill="currentColor" fillRule="evenodd" stroke="none" d={d} />
}

/** Icons of states: the outline of a path, or what else is drawn. Each has a distinct outline, so that states can be distinguished without color. */
export const stateIcons: Readonly<Record<StateIconName, ReactNode>> = {
  run: solid(
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm-1.6 3.9v6.2a.5.5 0 0 0 .76.43l5-3.1a.5.5 0 0 0 0-.86l-5-3.1a.5.5 0 0 0-.76.43Z',
  ),
  finish: solid(
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM4.6 5.1v5.8a.5.5 0 0 0 .77.42L9.3 8.8v2.1c0 .33.27.6.6.6h.8a.6.6 0 0 0 .6-.6V5.1a.6.6 0 0 0-.6-.6h-.8a.6.6 0 0 0-.6.6v2.1L5.37 4.68a.5.5 0 0 0-.77.42Z',
  ),
  wait: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.4V8l2.4 1.6" />
    </>
  ),
  pause: solid(
    'M3.6 1.5h8.8c1.16 0 2.1.94 2.1 2.1v8.8a2.1 2.1 0 0 1-2.1 2.1H3.6a2.1 2.1 0 0 1-2.1-2.1V3.6c0-1.16.94-2.1 2.1-2.1ZM5.4 4.8v6.4h1.8V4.8H5.4Zm3.4 0v6.4h1.8V4.8H8.8Z',
  ),
  download: 'M8 1.75v8M4.75 6.75 8 10l3.25-3.25M2.25 13.5h11.5',
  upload: 'M8 10.25v-8M4.75 5.25 8 2l3.25 3.25M2.25 13.5h11.5',
  fail: solid(
    'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1L5.1 1Zm.6 3.5L4.5 5.7 6.8 8l-2.3 2.3 1.2 1.2L8 9.2l2.3 2.3 1.2-1.2L9.2 8l2.3-2.3-1.2-1.2L8 6.8 5.7 4.5Z',
  ),
  done: solid('M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.1 4.1L7 9.2 5 7.2 3.9 8.3 7 11.4l5.2-5.2-1.1-1.1Z'),
  assign: (
    <>
      <circle cx="6.9" cy="6.9" r="4.65" />
      <path d="m10.4 10.4 3.6 3.6" />
    </>
  ),
  core: 'm8 1.6 5.6 3.2v6.4L8 14.4l-5.6-3.2V4.8L8 1.6ZM2.6 4.9 8 8l5.4-3.1M8 8v6.2',
  warning: solid(
    'M6.96 1.9a1.2 1.2 0 0 1 2.08 0l5.8 10.3a1.2 1.2 0 0 1-1.04 1.8H2.2a1.2 1.2 0 0 1-1.04-1.8l5.8-10.3ZM7.2 5.6v4h1.6v-4H7.2Zm0 5.2v1.6h1.6v-1.6H7.2Z',
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.25" strokeDasharray="2.4 1.53" />
      <path d="M6.2 6.3a1.85 1.85 0 1 1 2.6 1.7c-.5.25-.8.6-.8 1.2" />
      <path d="M8 11.2v.1" />
    </>
  ),
  offline:
    'M1.9 6.2a9 9 0 0 1 3-1.9M8 3.7c2.3 0 4.5.9 6.1 2.5M4.3 8.8a5.4 5.4 0 0 1 2.4-1.4M10 7.7c.6.3 1.2.7 1.7 1.1M8 12v.1M2.2 2.2l11.6 11.6',
  dump: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="m3.6 12.4 8.8-8.8" />
    </>
  ),
  loading:
    'M8 1.75v2.5M8 11.75v2.5M1.75 8h2.5M11.75 8h2.5M3.6 3.6l1.75 1.75M10.65 10.65l1.75 1.75M12.4 3.6l-1.75 1.75M5.35 10.65 3.6 12.4',
  outdated: (
    <>
      <path d="M2.75 3.25v3.5h3.5" />
      <path d="M3 6.5a5.5 5.5 0 1 1-.4 3M8 5v3.2l2 1.3" />
    </>
  ),
  unlinked:
    'M6.6 9.4a2.8 2.8 0 0 0 2 .85M10.6 9.4l2.3-2.3a2.8 2.8 0 0 0-4-4l-.9.9M9.4 6.6a2.8 2.8 0 0 0-2-.85M5.4 6.6 3.1 8.9a2.8 2.8 0 0 0 4 4l.9-.9M2.2 2.2l11.6 11.6',
  empty: 'M2.25 9.25 4 3.25h8l1.75 6v4H2.25zM2.4 9.25h3.35c.2 1.1 1.1 1.9 2.25 1.9s2.05-.8 2.25-1.9h3.35',
}
