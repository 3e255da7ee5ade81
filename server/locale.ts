import { i18n } from '@lingui/core'

/* Module constants of src/folding hold texts, so the server imports this file before all others. */
i18n.loadAndActivate({ locale: 'en', messages: {} })
