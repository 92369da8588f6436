/**
 * Shows openapi.json of the stage that serves this page, by Swagger UI. A request is sent to that stage, from here; a token that is
 * pasted is forgotten with the page, and nothing is asked of or told to anybody else.
 */
SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  // It would ask a service of Swagger's whether the document is right.
  validatorUrl: null,
});

/** What Swagger UI leaves without a name, and what it lets nobody reach who scrolls by keyboard. */
new MutationObserver(() => {
  for (const select of document.querySelectorAll('#reference select:not([aria-label])')) {
    const { paramName } = select.closest('[data-param-name]')?.dataset ?? {};
    const code = select.closest('[data-code]')?.dataset.code;
    const label = paramName ?? (code ? `Example of ${code}` : 'Choice');
    select.setAttribute('aria-label', select.closest('.servers') ? 'Server' : label);
  }
  for (const code of document.querySelectorAll(
    '#reference :is(.curl, .microlight):not([tabindex])',
  )) {
    code.setAttribute('tabindex', '0');
  }
}).observe(document.getElementById('reference'), { childList: true, subtree: true });
