-- loss payments by agent, policy and claim; a policy with two agents stands under both
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
)
select agent.party_id as agent_id, cp.policy_number, c.Company_Claim_Number as claim_number, sum(m.amount) as loss_payment
from marked m
join claim c on c.Claim_Identifier = m.claim_id
left join claim_policy cp on cp.claim_id = m.claim_id
left join agent on agent.policy_id = cp.policy_id
where m.kind = 'loss payment'
group by agent.party_id, cp.policy_number, c.Company_Claim_Number
