/** `navigator.connection`, where browsers have it. */
export type Connection = { readonly saveData?: boolean; readonly type?: string; readonly effectiveType?: string }

/** A connection on which nothing is fetched that was not asked for. Browsers that do not tell are taken for good ones. */
export function isCostly({ saveData, type, effectiveType }: Connection): boolean {
  return saveData === true || type === 'cellular' || (effectiveType !== undefined && effectiveType !== '4g')
}
