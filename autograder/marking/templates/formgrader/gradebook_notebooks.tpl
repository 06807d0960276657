{%- extends 'nbgrader/gradebook_notebooks.tpl' -%}

{%- block messages -%}
<div class="alert alert-info" role="note">
  <a href="{{ base_url }}/essays/{{ assignment_id | urlencode }}" target="_self">Mark the essays of {{ assignment_id | e }} question by question</a>:
  all answers to a question on one page, with rubric items, comments to use again, and undo.
</div>
{%- endblock -%}
