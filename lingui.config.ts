import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['src', 'server'], exclude: ['**/*.test.*', '**/specimen/**'] },
  ],
  // Without line numbers a catalog changes only when its messages do.
  format: formatter({ lineNumbers: false }),
  orderBy: 'messageId',
})
