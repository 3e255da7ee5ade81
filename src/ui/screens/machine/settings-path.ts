import { pathPart } from '../../../folding/address/web-address.ts'

const GROUP = 'group'
const SETTING = 'setting'

/** A setting of a group, and of its GPUs which one. */
export type AskedSetting = { readonly group: string; readonly setting: string }

/** Path of a client's settings, to one of them. */
export function settingPath(client: string, { group, setting }: AskedSetting): string {
  return `/${pathPart(client)}/settings?${GROUP}=${pathPart(group)}&${SETTING}=${pathPart(setting)}`
}

/** The setting that such a path leads to; undefined where it leads to none. */
export function askedSetting(params: URLSearchParams): AskedSetting | undefined {
  const [group, setting] = [params.get(GROUP), params.get(SETTING)]
  return group === null || setting === null ? undefined : { group, setting }
}
