type Inserted = {
  readonly FOLDBOARD_VERSION?: string
  readonly FOLDBOARD_COMMIT?: string
  readonly FOLDBOARD_SOURCE?: string
}

/** The running version of Foldboard, as scripts/vite/offline.ts inserts it. */
export type Build = {
  /** As in package.json; 'development' when the page was not built. */
  readonly version: string
  /** Of the repository; '' when it was built outside of one. */
  readonly commit: string
  /** Address of its source code; '' when the build named none. */
  readonly source: string
}

export const build: Build = {
  version: (import.meta.env as Inserted).FOLDBOARD_VERSION ?? 'development',
  commit: (import.meta.env as Inserted).FOLDBOARD_COMMIT ?? '',
  source: (import.meta.env as Inserted).FOLDBOARD_SOURCE ?? '',
}

export function buildText({ version, commit }: Pick<Build, 'version' | 'commit'>): string {
  return commit === '' ? version : `${version} (${commit})`
}
