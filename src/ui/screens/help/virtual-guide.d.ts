declare module 'virtual:guide' {
  export const pages: readonly import('./guide.ts').GuidePage[]
}
