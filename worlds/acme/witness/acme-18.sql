-- all policies with each agent who sold them, those without an agent too
with agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
)
select p.Policy_Number as policy_number, agent.party_id as agent_id
from policy p left join agent on agent.policy_id = p.Policy_Identifier
