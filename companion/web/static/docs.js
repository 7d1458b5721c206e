// Opens the documentation of the API on the document served beside it.
"use strict";

SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });
